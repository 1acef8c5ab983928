import { pathToFileURL } from 'node:url'

/** The program from its source, which serves each module of the pages from its own. */
export const sourceProgram = new URL('../src/nightporter.js', import.meta.url)

/**
 * The program as tests start it, in a process or a thread of its own: the bundle that `run.ts` has made, which is what is
 * installed, or the source.
 */
export const program = process.env.TEST_PROGRAM ? pathToFileURL(process.env.TEST_PROGRAM) : sourceProgram
