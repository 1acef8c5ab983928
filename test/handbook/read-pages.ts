import { after, before, describe, it } from 'node:test'
import { type readers, readPage } from '../../src/handbook/pages.ts'
import { programMissing } from '../programs.ts'
import { handbook, type ReaderDocument, readme } from './documents.ts'
import { type Reader, readerOf } from './reader.ts'
import { type Step, stepsOf } from './steps.ts'

/**
 * Reads every page for these readers with its commands, in its order, on a data folder of its own. Pages are read beside
 * each other. The README is for newcomers. HANDBOOK_PAGE=start reads that page alone.
 */
export async function readPagesFor(...audience: (typeof readers)[number][]): Promise<void> {
  const all = await Promise.all(
    handbook.map(async (page) => ({ page, reader: (await readPage(page.name)).reader })),
  )
  const own = all.filter(({ reader }) => audience.includes(reader)).map(({ page }) => page)
  const pages = audience.includes('newcomers') ? [readme, ...own] : own
  const wanted = process.env.HANDBOOK_PAGE
  describe('every command and answer shown in', { concurrency: 2 }, () => {
    for (const page of pages) if (!wanted || page.name === wanted) readOne(page)
  })
}

function readOne({ path, markdown }: ReaderDocument): void {
  describe(path, { concurrency: 1 }, () => {
    const steps = stepsOf(markdown)
    const runs = steps.filter((step) => step.does === 'run')
    const startsItself = runs.some(({ text }) => /\bnpm start\b|\bnightporter(?:\.js)? serve\b/.test(text))
    let reader: Reader
    let failedAt: number | null = null
    before(async () => {
      if (runs.length === 0) return
      reader = await readerOf(path, markdown)
      if (!startsItself) await reader.begin()
    })
    after(() => reader?.leave())

    let lacking: string | false = false
    for (const step of steps) {
      const { line, does } = step
      const own = missingFor(step)
      // What comes after a command that cannot be run here may need what it would have made.
      if (does === 'run' && step.language === 'sh') lacking ||= own
      it(`${path}:${line} ${does}`, { skip: does !== 'leave out' && (lacking || own) }, async (test) => {
        if (step.does === 'leave out') return test.diagnostic(`${path}:${line} is not run: ${step.reason}`)
        if (failedAt !== null) throw new Error(`not reached: line ${failedAt} of the page failed`)
        failedAt = line
        await reader.follow(step)
        failedAt = null
      })
    }
  })
}

function missingFor(step: Step): string | false {
  if (step.does !== 'run') return false
  const { language, text } = step
  const needed = (['curl', 'jq', 'python3', 'openssl', 'mosquitto'] as const).filter(
    (name) => new RegExp(`\\b${name}\\b`).test(text) || (name === 'python3' && language === 'python'),
  )
  return programMissing(...needed)
}
