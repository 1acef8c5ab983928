/**
 * Runs test files in one process: `node --test-reporter=test/runner/reporter.ts test/group.ts FILE...`. Each file is a suite of its
 * own, so that its `before` and `after` are its own too.
 */
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2))
  describe(file, async () => {
    await import(pathToFileURL(file).href)
  })
