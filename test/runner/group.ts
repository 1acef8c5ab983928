/**
 * Runs test files in one process: `node --test-reporter=test/runner/reporter.ts test/runner/group.ts FILE...`. Each file is a suite
 * of its own, so that its `before` and `after` are its own too. The name of each test goes to the file PROGRESS_FILE before it
 * begins, so that one that hangs is known.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { beforeEach, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const progress = openSync(process.env.PROGRESS_FILE!, 'a')
process.on('exit', () => closeSync(progress))
beforeEach((test) => {
  writeSync(progress, `${test.fullName}\n`)
})

for (const file of process.argv.slice(2))
  describe(file, async () => {
    await import(pathToFileURL(file).href)
  })
