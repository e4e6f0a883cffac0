// One stored session as a person reads it.

import type { Damage, SessionId } from "@agentao/agent";
import { redactFrame } from "../secret/redact-frame.ts";
import { messageOf } from "../text/message-of.ts";
import { type Sessions, SessionTrouble } from "./folder.ts";
import { readSession } from "./read-session.ts";
import { type Transcript, TranscriptFold } from "./transcript.ts";

export interface ReadTranscript {
  /** Without what looks like a secret. */
  readonly transcript: Transcript;
  readonly damage?: Damage;
}

export async function readTranscript(sessions: Sessions, id: SessionId): Promise<ReadTranscript> {
  const fold = new TranscriptFold();
  let damage: Damage | undefined;
  const onDamage = (found: Damage): void => {
    damage = found;
  };
  try {
    for await (const entries of readSession(sessions, id, { onDamage })) {
      for (const entry of entries) fold.add(entry);
    }
  } catch (cause) {
    throw new SessionTrouble(`Session ${id} cannot be read: ${messageOf(cause)}`);
  }
  const { transcript } = fold;
  if (transcript === undefined) throw new SessionTrouble(`Session ${id} cannot be read: its file has no header.`);
  return { transcript: redactFrame(transcript) as Transcript, ...(damage !== undefined && { damage }) };
}
