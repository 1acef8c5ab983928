import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { programMissing } from '../programs.ts'

/** Debian's Chromium, which `.ci/run` installs. */
const executablePath = '/usr/bin/chromium'

/** Why a test with a browser is left out; false where the browser is there. */
export const withoutBrowser = programMissing('chromium')

/** A page of the browser, and everything that it must not have done. */
export interface Tab {
  page: Page
  /** Fails for a violated policy, an error on the console, or a request to another host. `allowed` are refusals that the test expects. */
  expectClean(allowed?: RegExp): void
  close(): Promise<void>
}

/** Starts the browser for who stops it again. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

/** Starts the browser before the tests of a suite, and stops it after them. */
export function browserForSuite(): { open(url: string, options?: BrowserContextOptions): Promise<Tab> } {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser?.close())
  return { open: (url, options) => opened(browser, url, options) }
}

/** Opens pages in a browser that runs already. */
export const tabIn = (
  browser: Browser,
): { open(url: string, options?: BrowserContextOptions): Promise<Tab> } => ({
  open: (url, options) => opened(browser, url, options),
})

const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }

async function opened(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ ...desktop, ...options })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const wrongs: string[] = []
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy violated', event.violatedDirective, event.blockedURI))",
  )
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      wrongs.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => wrongs.push(String(error.stack)))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:'))
      wrongs.push(`foreign request ${request.url()}`)
  })
  await page.goto(url)
  return {
    page,
    expectClean(allowed = /(?!)/) {
      assert.deepEqual(
        wrongs.filter((each) => !allowed.test(each)),
        [],
      )
    },
    close: () => context.close(),
  }
}
