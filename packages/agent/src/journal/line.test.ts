// The lines of journals that exist. What is changed here breaks the sessions people have.

import { expect, test } from "vitest";
import { parseLine, toLine } from "./line.ts";

test.each([
  '{"at":1,"type":"session","version":1,"id":"s","cwd":"/w","additionalRoots":["/l"],"forkedFrom":"r"}',
  '{"at":1,"type":"prompt","turnId":"t","message":{"role":"user","id":"m","parts":[{"type":"text","text":"Go"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"audio","data":"AA==","mimeType":"audio/wav"},{"type":"link","uri":"file:///a","name":"a"},{"type":"resource","uri":"file:///b","text":"b"}]}}',
  '{"at":1,"type":"text","messageId":"m","text":"Hello"}',
  '{"at":1,"type":"reasoning","messageId":"m","text":"Hm","opaque":{"signature":"x"}}',
  '{"at":1,"type":"call","messageId":"m","call":{"callId":"c","name":"replace","title":"Edit a","kind":"edit","locations":[{"path":"/w/a","line":1}],"input":{"path":"a"},"content":[{"type":"diff","path":"/w/a","oldText":null,"newText":"x"}]},"rawInput":"{}"}',
  '{"at":1,"type":"decision","callId":"c","allowed":true,"by":"person","because":"allow once"}',
  '{"at":1,"type":"call-running","callId":"c"}',
  '{"at":1,"type":"call-ended","callId":"c","failed":false,"told":[{"type":"text","text":"ok"}],"content":[{"type":"terminal","terminalId":"x"}]}',
  '{"at":1,"type":"plan","entries":[{"content":"x","priority":"high","status":"pending"}]}',
  '{"at":1,"type":"mode","modeId":"plan"}',
  '{"at":1,"type":"model","modelId":"a/b"}',
  '{"at":1,"type":"thought-level","level":"high"}',
  '{"at":1,"type":"title","title":"Hello"}',
  '{"at":1,"type":"usage","usage":{"usedTokens":1,"windowTokens":2,"cost":0.5}}',
  '{"at":1,"type":"turn-ended","turnId":"t","outcome":{"type":"ended"}}',
  '{"at":1,"type":"turn-ended","turnId":"t","outcome":{"type":"failed","fault":{"kind":"network","message":"No.","retryable":true}}}',
  '{"at":1,"type":"roots","cwd":"/w2","additionalRoots":[]}',
  '{"at":1,"type":"interrupted"}',
  '{"at":1,"type":"constructor","of":"a later version"}',
])("%s is read and written as it is", (line) => {
  const entry = parseLine(line);

  expect(entry && toLine(entry)).toBe(`${line}\n`);
});

test.each([
  "",
  "{",
  "[]",
  '"text"',
  '{"type":"interrupted"}',
  '{"at":"now","type":"interrupted"}',
  '{"at":1,"type":2}',
  '{"at":1,"type":"session","id":"s"}',
  '{"at":1,"type":"prompt","turnId":"t","message":{"role":"user","id":"m"}}',
  '{"at":1,"type":"prompt","turnId":"t","message":{"role":"user","id":"m","parts":[{"type":"text"}]}}',
  '{"at":1,"type":"text","text":"Hello"}',
  '{"at":1,"type":"reasoning","messageId":"m"}',
  '{"at":1,"type":"call","messageId":"m","call":{"callId":"c"},"rawInput":"{}"}',
  '{"at":1,"type":"call-running"}',
  '{"at":1,"type":"call-ended","callId":"c"}',
  '{"at":1,"type":"plan","entries":[1]}',
  '{"at":1,"type":"mode"}',
  '{"at":1,"type":"model"}',
  '{"at":1,"type":"thought-level"}',
  '{"at":1,"type":"title"}',
  '{"at":1,"type":"usage"}',
  '{"at":1,"type":"turn-ended","turnId":"t","outcome":{"type":"failed"}}',
  '{"at":1,"type":"roots"}',
])("%s is no entry", (line) => {
  expect(parseLine(line)).toBeUndefined();
});
