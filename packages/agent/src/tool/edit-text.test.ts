import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Edit, editText } from "./edit-text.ts";

const EMPTY =
  "old_text must not be empty. Give the text to replace, or use write_file to create a file or to append to one";

const edit = (oldText: string, newText: string, replaceAll = false): Edit => ({ oldText, newText, replaceAll });

describe("an edit", () => {
  test("replaces what was copied exactly, and tells where", () => {
    expect(editText("one\ntwo\nthree\n", [edit("two", "2\n2")], "a")).toEqual({
      type: "edited",
      text: "one\n2\n2\nthree\n",
      count: 1,
      how: "exact",
      line: 2,
    });
  });

  test("puts in new text as it is, whatever looks like a pattern in it", () => {
    expect(textOf(editText("a.b", [edit(".", "$&$1\\n")], "a"))).toBe("a$&$1\\nb");
  });

  test("replaces every occurrence when asked to, without overlaps", () => {
    expect(editText("aaaa b aa", [edit("aa", "x", true)], "a")).toMatchObject({ text: "xx b x", count: 3 });
  });

  test("is refused when it could mean several places, which are named", () => {
    const text = Array.from({ length: 13 }, (_, at) => `  item(${at});\n`).join("");

    expect(editText(text, [edit("item", "x")], "/a.ts")).toEqual({
      type: "refused",
      problem: [
        "Old text found 13 times in /a.ts:",
        ...Array.from({ length: 10 }, (_, at) => `  line ${at + 1}: item(${at});`),
        "  … and 3 more",
        "Add lines around it to old_text until it is unique, or set replace_all.",
      ].join("\n"),
    });
  });

  test("counts places that overlap as several", () => {
    expect(editText("abaXaba aXa", [edit("aXa", "x")], "a").type).toBe("refused");
    expect(editText("aaa", [edit("aa", "x")], "a").type).toBe("refused");
  });

  test("is refused when it is nowhere, and shows what is most like it", () => {
    const text = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

    expect(editText(text, [edit("function two() {\n  return two;\n}", "x")], "/a.ts")).toEqual({
      type: "refused",
      problem: [
        "Old text not found in /a.ts",
        "Most similar: lines 5-7 (90% alike):",
        "     5\tfunction two() {",
        "     6\t  return 2;",
        "     7\t}",
        'The first line that differs: 6 is "  return 2;", not "  return two;".',
        "Copy old_text from the file as it is there, without line numbers, and try again.",
      ].join("\n"),
    });
    expect(editText(text, [edit("nothing like it", "x")], "/a.ts")).toEqual({
      type: "refused",
      problem: "Old text not found in /a.ts. Read the file again, and copy the text exactly.",
    });
  });

  test.each([
    { name: "empty", given: edit("", "x"), problem: EMPTY },
    { name: "no change", given: edit("a", "a"), problem: "old_text and new_text are the same: nothing to change" },
  ])("is refused when it says nothing: $name", ({ given, problem }) => {
    expect(editText("a", [given], "a")).toEqual({ type: "refused", problem });
  });
});

describe("several edits", () => {
  test("are done one after another", () => {
    expect(editText("a\nb\nc\n", [edit("c", "d"), edit("a\nb", "b"), edit("b\nd", "x")], "a")).toEqual({
      type: "edited",
      text: "x\n",
      count: 3,
      how: "exact",
      line: 1,
    });
  });

  test("are all refused when one is", () => {
    expect(editText("a\nb\n", [edit("a", "x"), edit("c", "y")], "f")).toEqual({
      type: "refused",
      problem:
        "Edit 2 of 2: Old text not found in f. Read the file again, and copy the text exactly.\nNothing was changed.",
    });
  });

  test("that take a text from each other are refused with that reason", () => {
    expect(editText("a\nb\n", [edit("a", "x"), edit("a", "y")], "f")).toEqual({
      type: "refused",
      problem: [
        "Edit 2 of 2: Old text not found in f. Read the file again, and copy the text exactly.",
        "An edit before it changed that text: each sees what the ones before it left.",
        "Nothing was changed.",
      ].join("\n"),
    });
  });
});

describe("a passage that was not copied to the letter", () => {
  test("is found by its lines, and what replaces it is indented as it was", () => {
    const text = "class A {\n\tone() {\n\t\treturn 1;\n\t}\n}\n";

    expect(
      editText(text, [edit("one() {\n  return 1;\n}", "two() {\n  if (x) {\n    return 2;\n  }\n}")], "a"),
    ).toEqual({
      type: "edited",
      text: "class A {\n\ttwo() {\n\t\tif (x) {\n\t\t\treturn 2;\n\t\t}\n\t}\n}\n",
      count: 1,
      how: "whitespace",
      line: 2,
    });
  });

  test("is found without blanks at line ends, up to the end of its last line", () => {
    expect(textOf(editText("a  \nb\t\nc\n", [edit("a\nb", "x")], "a"))).toBe("x\nc\n");
    expect(textOf(editText("a  \nb\t\nc\n", [edit("a\nb\n", "x\n")], "a"))).toBe("x\nc\n");
  });

  test("is not any blank line", () => {
    expect(editText("a\n \nb", [edit("   \n", "x")], "a").type).toBe("refused");
  });

  test.each([
    { name: "quotes", text: "say “hi” – it’s", wanted: `say "hi" - it's` },
    { name: "quotes, the other way round", text: `say "hi"`, wanted: "say “hi”" },
    { name: "spaces", text: "a\u00a0b\u2009c", wanted: "a b c" },
    { name: "composed letters", text: "cafe\u0301 ok", wanted: "caf\u00e9 ok" },
    { name: "compatible forms", text: "ｆｕｌｌ ﬁn…", wanted: "full fin..." },
    { name: "nothing to be seen", text: "a\u200bb", wanted: "ab" },
  ])("is found by characters that look alike: $name", ({ text, wanted }) => {
    expect(editText(`<${text}>`, [edit(wanted, "x")], "a")).toMatchObject({
      type: "edited",
      text: "<x>",
      how: "look-alike",
    });
  });

  test("is not found inside of one character", () => {
    expect(editText("ﬁn", [edit("in", "x")], "a").type).toBe("refused");
  });

  test("is found by lines that look alike, too", () => {
    expect(textOf(editText("    x = “a”;  \n  y\n", [edit('x = "a";\ny', "z")], "a"))).toBe("    z\n");
  });
});

describe("line endings and byte order mark", () => {
  test("stay as they are", () => {
    expect(textOf(editText("\uFEFFa\r\nb\r\nc\r\n", [edit("a\nb", "x\ny\nz")], "a"))).toBe(
      "\uFEFFx\r\ny\r\nz\r\nc\r\n",
    );
    expect(textOf(editText("a\r\nb\r\n", [edit("a\r\nb", "x\r\ny")], "a"))).toBe("x\r\ny\r\n");
    expect(textOf(editText("a\nb\n", [edit("a\r\nb", "x\r\ny")], "a"))).toBe("x\ny\n");
  });

  test("stay as they are where they are mixed", () => {
    expect(textOf(editText("a\r\nb\nc\r\nd\n", [edit("b\nc", "x\ny")], "a"))).toBe("a\r\nx\ny\r\nd\n");
    expect(textOf(editText("a\r\nb\r\nc\n", [edit("a\nb", "x\ny")], "a"))).toBe("x\r\ny\r\nc\n");
    expect(textOf(editText("a\r\nb\nc\r\nd", [edit("a\nb\nc", "x\ny")], "a"))).toBe("x\r\ny\r\nd");
  });
});

describe("for any text", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é", "“", "$", "&"), maxLength: 12 });

  test("a unique passage is replaced as by hand", () => {
    fc.assert(
      fc.property(part, part, part, part, (before, old, after, fresh) => {
        const text = before + old + after;
        fc.pre(old !== "" && old !== fresh && text.indexOf(old) === text.lastIndexOf(old));

        expect(textOf(editText(text, [edit(old, fresh)], "a"))).toBe(text.split(old).join(fresh));
      }),
    );
  });

  test("all passages are replaced as by hand", () => {
    fc.assert(
      fc.property(part, part, part, (text, old, fresh) => {
        fc.pre(old !== "" && old !== fresh && text.includes(old));

        expect(textOf(editText(text, [edit(old, fresh, true)], "a"))).toBe(text.replaceAll(old, () => fresh));
      }),
    );
  });

  test("with CRLF the result is that of the same text without, with CRLF", () => {
    fc.assert(
      fc.property(part, part, part, part, (before, old, after, fresh) => {
        const text = `\n${before}${old}${after}`;
        fc.pre(text.indexOf(old) === text.lastIndexOf(old));
        const plain = editText(text, [edit(old, fresh)], "a");
        const crlf = editText(text.replaceAll("\n", "\r\n"), [edit(old, fresh)], "a");

        expect(crlf.type === "edited" ? { ...crlf, text: crlf.text.replaceAll("\r\n", "\n") } : crlf).toEqual(plain);
        if (crlf.type === "edited") expect(crlf.text).not.toMatch(/(?<!\r)\n/);
      }),
    );
  });
});

function textOf(edited: ReturnType<typeof editText>): string {
  return edited.type === "edited" ? edited.text : edited.problem;
}
