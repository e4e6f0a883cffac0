// `[[ … ]]`, which only some shells know.

import type { TestExpression } from "unbash";

/** A test that every shell understands, or none runs. */
export function isSettledTest(expression: TestExpression): boolean {
  switch (expression.type) {
    case "TestUnary":
      return !/^-[vR]$/.test(expression.operator);
    case "TestBinary":
      return /^(=|==|!=|-nt|-ot|-ef)$/.test(expression.operator);
    case "TestNot":
      return isSettledTest(expression.operand);
    case "TestGroup":
    case "TestLogical":
      return false;
  }
}

/** A test as a shell without `[[` reads it: operators end commands. */
export function toLines(expression: TestExpression): string {
  switch (expression.type) {
    case "TestUnary":
      return `${expression.operator} ${expression.operand.text}`;
    case "TestBinary":
      return `${expression.left.text} ${expression.operator} ${expression.right.text}`;
    case "TestNot":
      return toLines(expression.operand);
    case "TestGroup":
      return toLines(expression.expression);
    case "TestLogical":
      return expression.operands.map(toLines).join("\n");
  }
}
