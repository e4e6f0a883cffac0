// The version of the program, from its manifest; the build puts it in.

import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
