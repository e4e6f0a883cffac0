// Which statements of our conformance list are verified, and how. `C-…` are rules of ACP and of JSON-RPC, `Z-…` what users
// of earlier agentao rely on. A statement is cited in the title of a test, or named here with the file that shows it, or
// put off with a reason.

/** Each is cited by a test. */
export const cited: readonly string[] = `
  C-003 C-004 C-006 C-007 C-009 C-010 C-011 C-013 C-014 C-016 C-017 C-018
  C-020 C-030 C-031 C-032 C-034 C-039 C-040 C-041 C-042 C-043 C-044 C-052
  C-053 C-055 C-056 C-057 C-059 C-060 C-120 C-121 C-122 C-123 C-124 C-125
  C-127 C-128 C-129 C-131 C-135 C-136 C-137 C-138 C-139 C-145 C-146 C-147
  C-148 C-149 C-150 C-151 C-152 C-153 C-154 C-155 C-156 C-157 C-158 C-165
  C-167 C-168 C-169 C-170 C-172 C-173 C-174 C-175 C-176 C-177 C-178 C-179
  C-181 C-182 C-183 C-190 C-191 C-192 C-193 C-194 C-195 C-196 C-199 C-200
  C-201 C-202 C-203 C-210 C-211 C-212 C-213 C-214 C-215 C-216 C-217 C-220
  C-221 C-222 C-223 C-224 C-225 C-226 C-227 C-228 C-229 C-230 C-232 C-233
  C-234 C-235 C-236 C-238 C-239 C-240 C-241 C-242 C-243 C-244 C-245 C-246
  C-247 C-248 C-249 C-249a C-249b C-249c C-249e C-249f C-249g C-249i C-249j C-350
  C-351 C-352 C-353 C-354 C-355 C-356 C-357 C-358 C-359 C-360 C-361 C-362
  C-363 C-365 C-367 Z-01 Z-02 Z-03 Z-04 Z-06 Z-07 Z-08 Z-09 Z-10
  Z-11 Z-12 Z-13 Z-14 Z-15 Z-19
`
  .trim()
  .split(/\s+/);

/** Shown without being cited: by the schema of every frame, by a whole-value test, or by there being nothing else. */
export const shownBy: Readonly<Record<string, string>> = {
  "C-001": "test/agent/wire-schema.ts",
  "C-002": "test/agent/wire-schema.ts",
  "C-015": "test/interop/every-method.test.ts",
  "C-008": "packages/acp/src/rpc/connection.test.ts",
  "C-019": "packages/acp/src/rpc/pending-request.ts",
  "C-021": "test/agent/wire-schema.ts",
  "C-022": "packages/acp/src/v1/decode.test.ts",
  "C-023": "test/interop/every-method.test.ts",
  "C-024": "test/agent/wire-schema.ts",
  "C-025": "packages/acp/src/v1/decode.test.ts",
  "C-026": "packages/agent/src/serve/extension.ts",
  "C-027": "packages/acp/src/agent/agent-side.test.ts",
  "C-028": "test/agent/handshake.test.ts",
  "C-035": "test/agent/tool-call.test.ts",
  "C-036": "test/agent/tool-call.test.ts",
  "C-037": "packages/acp/src/exports.test.ts",
  "C-038": "test/agent/session.test.ts",
  "C-045": "test/agent/wire-schema.ts",
  "C-046": "packages/acp/src/transcript/transcript.test.ts",
  "C-050": "packages/acp/src/stream/ndjson.test.ts",
  "C-051": "packages/acp/src/stream/ndjson.test.ts",
  "C-054": "test/acp/stdio.test.ts",
  "C-058": "packages/acp/src/stream/ndjson.test.ts",
  "C-061": "test/program/command-line.test.ts",
  "C-062": "packages/acp/src/stream/web.test.ts",
  "C-063": "docs/acp.md",
  "C-064": "test/program/command-line.test.ts",
  "C-126": "test/interop/every-method.test.ts",
  "C-130": "test/agent/handshake.test.ts",
  "C-166": "test/agent/replay.test.ts",
  "C-171": "test/agent/replay.test.ts",
  "C-197": "test/agent/replay.test.ts",
  "C-198": "test/agent/turn-end.test.ts",
  "C-364": "packages/acp/src/v1/tolerance.test.ts",
  "Z-05": "packages/agent/src/id/id.ts",
  "Z-16": "test/program/life-cycle.test.ts",
  "Z-17": "test/program/command-line.test.ts",
  "Z-18": "docs/acp.md",
};

export const deferred: Readonly<Record<string, string>> = {
  "C-005": "version 2 of the protocol",
  "C-012": "batches are not supported, by decision of the protocol",
  "C-029": "no trace context is sent or read yet",
  "C-033": "cancellation is supported",
  "C-140": "no sign-in by terminal is offered yet",
  "C-159": "rules are read from the working directory and the home only; instructions also from the other folders",
  "C-180": "one person uses a store; there are no users to tell apart",
  "C-249d": "secrets are not recognised in what the model or a server asks for",
  "C-249h": "no state of a page is kept here: the server that asked for it binds and verifies its own",
  "C-366": "version 2 of the protocol; v1 takes either scope",
};
