import { expect, test } from "vitest";
import { learnQuirk } from "./quirk.ts";

const none = new Set<never>();

test.each([
  "This model does not support image input",
  "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
  "No endpoints found that support image input",
  "Invalid content type. image_url is only supported by certain models.",
  "unknown variant `image_url`, expected `text`",
  "This is not a vision model",
  "images are not supported by this model",
  "The model cannot process images",
  "Unsupported content part type: image_url",
  "messages[0].content: image content, but expected a string",
  "This model doesn't support vision",
])("learns that images are not taken: %s", (said) => {
  expect(learnQuirk(400, said, none)).toBe("images");
});

test.each([
  "Invalid image: the image could not be decoded",
  "Could not process image",
  "image exceeds 5 MB maximum",
  "The image is too large",
  "Unsupported image format: svg",
  "You uploaded an unsupported image. Please make sure your image has one of the following formats",
  "messages.0.content.1.image.source.media_type: Input should be 'image/jpeg'",
  "Invalid base64 image_url",
  "image dimensions are not supported",
  "Unable to download image from url",
  "Too many images are not allowed",
  "The image data you provided does not represent a valid image: corrupt",
])("learns nothing from one that could not be read: %s", (said) => {
  expect(learnQuirk(400, said, none)).toBeUndefined();
});

test("learns that audio is not taken", () => {
  expect(learnQuirk(400, "audio input is not supported", none)).toBe("audio");
  expect(learnQuirk(400, "audio could not be decoded", none)).toBeUndefined();
});
