// Edits that could mean several places, or mean none: they must be refused, for a guess would be wrong.

import { type EditCase, lines, passage } from "./edit-case.ts";

const routes = lines(
  "app.get('/users', (request, response) => {",
  "  response.json(users);",
  "});",
  "app.get('/orders', (request, response) => {",
  "  response.json(orders);",
  "});",
);

const tests = lines(
  "def test_add():",
  "    cart = Cart()",
  "    cart.add(1)",
  "    assert cart.total == 1",
  "",
  "def test_remove():",
  "    cart = Cart()",
  "    cart.add(1)",
  "    cart.remove(1)",
  "    assert cart.total == 0",
);

function refused(name: string, language: string, text: string, oldText: string, newText: string): EditCase {
  return { name, language, text, oldText, newText, result: "refused" };
}

export const nearMiss: readonly EditCase[] = [
  refused("twice to the letter", "javascript", routes, "(request, response) => {", "(request, reply) => {"),
  refused(
    "twice but for blanks",
    "python",
    tests,
    passage("cart = Cart()", "cart.add(1)"),
    passage("cart = Cart(2)", "cart.add(1)"),
  ),
  refused("a closing bracket alone", "javascript", routes, "});", "}).end();"),
  refused(
    "another name in the middle",
    "javascript",
    routes,
    passage("app.get('/users', (request, response) => {", "  response.json(people);"),
    "x",
  ),
  refused("another number", "python", tests, "    assert cart.total == 2", "    assert cart.total == 3"),
  refused("a word less", "markdown", lines("This is not allowed here."), "This is allowed here.", "This is fine."),
  refused("a negation more", "c", lines("if (ready) {", "  go();", "}"), "if (!ready) {", "if (done) {"),
  refused("another operator", "c", lines("while (a <= b) {", "  a++;", "}"), "while (a < b) {", "while (a != b) {"),
  refused(
    "upper case for lower case",
    "sql",
    lines("select id from users;"),
    "SELECT id FROM users;",
    "SELECT name FROM users;",
  ),
  refused("a line left out", "python", tests, passage("    cart = Cart()", "    cart.remove(1)"), "    pass"),
  refused(
    "a line too many",
    "python",
    tests,
    passage("    cart.add(1)", "    cart.add(2)", "    cart.remove(1)"),
    "    pass",
  ),
  refused(
    "lines in another order",
    "python",
    tests,
    passage("    cart.remove(1)", "    cart.add(1)", "    assert cart.total == 0"),
    "    pass",
  ),
  refused(
    "an ellipsis for what was left out",
    "python",
    tests,
    passage("def test_remove():", "    ...", "    assert cart.total == 0"),
    "x",
  ),
  refused(
    "a comment for what was left out",
    "javascript",
    routes,
    passage("app.get('/users', (request, response) => {", "  // ... existing code", "});"),
    "x",
  ),
  refused("blanks in a string", "javascript", lines('const gap = "a  b";'), 'const gap = "a b";', 'const gap = "c";'),
  refused("blanks in a string of one blank", "python", lines("sep = ' '"), "sep = '  '", "sep = '-'"),
  refused("other quotes of the program", "javascript", lines("const a = 'x';"), 'const a = "x";', 'const a = "y";'),
  refused("nothing but blanks", "text", lines("a", "  ", "b"), "   \n", "x"),
  refused("an empty passage", "text", lines("a"), "", "b"),
  refused("the same as before", "text", lines("a", "b"), "a", "a"),
  refused(
    "the same as before but for blanks",
    "python",
    lines("if a:", "    b()"),
    passage("if a:", "  b()"),
    passage("if a:", "  b()  "),
  ),
  refused("done already", "python", lines("x = 2"), "x = 1", "x = 2"),
  refused("part of a word over two lines", "python", lines("call(abc,", "     defghi)"), passage("bc,", "   def"), "x"),
  refused(
    "another file altogether",
    "rust",
    lines("fn main() {", '    println!("hi");', "}"),
    passage("import os", "print(os.name)"),
    "x",
  ),
  refused("letters of another alphabet", "python", lines("password = 1"), "p\u0430ssword = 1", "x = 1"),
  refused("a dash more", "shell", lines("git commit -m fix"), "git commit --m fix", "git commit"),
  refused(
    "numbers that do not follow each other",
    "text",
    lines("one", "two"),
    passage("     1\tone", "     5\ttwo"),
    "x",
  ),
  refused("every occurrence of nothing", "text", lines("a"), "zzz", "b"),
  refused("a semicolon less", "javascript", lines("run();", "stop();"), passage("run()", "stop()"), "x"),
  refused("a comma more", "json", lines("{", '  "a": 1', "}"), '  "a": 1,', '  "a": 2,'),
  refused("twice with other quotes", "markdown", lines("It’s here.", "It’s here."), "It's here.", "It is here."),
  refused("half of a ligature", "text", lines("ﬁn"), "in", "out"),
];
