import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectEncoding } from "./detect-encoding.ts";
import { decodeText, encodeText, type TextEncoding } from "./text-encoding.ts";

const CHINESE = "// 计算订单的总金额，并返回结果\nfunction 总计(订单) {}\n";
const TAIWAN = "// 計算訂單的總金額，並回傳結果給使用者\nfunction total() {}\n";
const JAPANESE = "// 注文の合計金額を計算して、結果を返します。\nfunction total() {}\n";
const KOREAN = "// 주문의 총액을 계산하여 결과를 돌려줍니다\nfunction total() {}\n";
const WESTERN = "Crème brûlée à la façon – “très” bonne, 5 €\nÜber Straßen\n";

describe("an encoding", () => {
  test.each<{ encoding: TextEncoding; text: string }>([
    { encoding: "utf-8", text: `\uFEFF${WESTERN}` },
    { encoding: "utf-8", text: CHINESE },
    { encoding: "utf-16le", text: `\uFEFF${CHINESE}` },
    { encoding: "utf-16be", text: `\uFEFF${CHINESE}` },
    { encoding: "utf-16le", text: "<root>\r\n\t<name>Müller</name>\r\n</root>\r\n" },
    { encoding: "utf-16be", text: "<root>\r\n\t<name>Müller</name>\r\n</root>\r\n" },
    { encoding: "windows-1252", text: WESTERN },
    { encoding: "windows-1252", text: "café" },
    { encoding: "windows-1252", text: "el niño comió; ¿qué pasó?\n" },
    { encoding: "gb18030", text: CHINESE },
    { encoding: "shift_jis", text: JAPANESE },
    { encoding: "euc-kr", text: KOREAN },
    { encoding: "big5", text: TAIWAN },
  ])("is found, and written back byte for byte: $encoding $text", ({ encoding, text }) => {
    const encoded = encodeText(text, encoding);
    if (!("bytes" in encoded)) throw new Error(`${encoded.impossible} has no bytes`);

    expect(detectEncoding(encoded.bytes, { isWhole: true })).toBe(encoding);
    expect(decodeText(encoded.bytes, encoding)).toBe(text);
  });

  test.each([
    { name: "a NUL", bytes: "text\0text" },
    { name: "control characters", bytes: "\x01\x02\xff\xfe\x03" },
    { name: "an image", bytes: "\x89PNG\r\n\x1a\n\0\0\0\rIHDR" },
    { name: "UTF-32", bytes: "\xff\xfe\0\0a\0\0\0" },
    { name: "UTF-8 with a broken byte", bytes: "\xc3\xa9t\xc3\xa9 \xc3\xa0 la \xc3\xaele \xe9\n" },
  ])("is nothing for what is not text: $name", ({ bytes }) => {
    expect(detectEncoding(Buffer.from(bytes, "latin1"), { isWhole: true })).toBeUndefined();
  });

  test("is windows-1252 where it could be several, because that loses nothing", () => {
    const short = encodeText("// 가나다\n", "euc-kr") as { bytes: Buffer };

    expect(detectEncoding(short.bytes, { isWhole: true })).toBe("windows-1252");
  });

  test("is found from a beginning that ends inside of a character", () => {
    expect(detectEncoding(Buffer.from("text €").subarray(0, -1), { isWhole: false })).toBe("utf-8");
    expect(detectEncoding(Buffer.from("text €").subarray(0, -1), { isWhole: true })).toBe("windows-1252");
  });

  test("says which character it does not have", () => {
    expect(encodeText("a → b", "windows-1252")).toEqual({ impossible: "→" });
    expect(encodeText("한", "shift_jis")).toEqual({ impossible: "한" });
  });
});

test("any bytes are the same after windows-1252, there and back", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(encodeText(decodeText(Buffer.from(bytes), "windows-1252"), "windows-1252")).toEqual({
        bytes: Buffer.from(bytes),
      });
    }),
  );
});

test("any text is the same after UTF-16, there and back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("utf-16le", "utf-16be"), (text, encoding) => {
      expect(decodeText((encodeText(text, encoding) as { bytes: Buffer }).bytes, encoding)).toBe(text);
    }),
  );
});
