import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../../access/house-with-doors.ts'
import { browserForSuite, launchBrowser, tabIn, withoutBrowser } from '../../console/browser.ts'
import { guestAt, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import { processes } from '../../processes.ts'
import { programMissing } from '../../programs.ts'
import { heard, listening } from './kiosk-guest.ts'

describe('a guest who listens', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  const browser = browserForSuite()
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house.stop())

  async function listener() {
    const guest = await guestAt(house, browser)
    await guest.page.addInitScript(listening)
    await guest.page.reload()
    await guest.presses('Listen')
    const hears = (text: RegExp) =>
      until(
        `${text} to be spoken`,
        () => heard(guest.page),
        (spoken) => spoken.some((each) => text.test(each)),
      )
    return Object.assign(guest, { hears })
  }

  it('makes the voice louder and quieter, and the next guest begins in the middle', async () => {
    const guest = await listener()
    await guest.presses('Volume 2 of 3')
    await guest.hears(/Volume 3 of 3/)
    await guest.presses('Volume 3 of 3')
    await guest.hears(/Volume 1 of 3/)
    const volumes = (await guest.page.evaluate('volumes')) as number[]
    assert.ok(volumes.includes(1) && volumes.at(-1)! < 0.5, `${volumes}`)
    await guest.presses('Touch to check in')
    await guest.presses('Start again')
    await guest.presses('Listen')
    await guest.reads('Volume 2 of 3')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('hears how long the card can be taken, and when the last page closes', async () => {
    const { number } = await house.arrival()
    const guest = await listener()
    let isTaken = false
    await guest.page.route(/\/card-runs\?/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      if (!isTaken)
        for (const { attributes } of body.data) Object.assign(attributes, { step: 'presented', ending: null })
      await route.fulfill({ response, json: body })
    })
    const deadline = new Date(house.clock.now() + 28_000).toISOString()
    await guest.page.route(/\/dispensers\/[^/]+\/status$/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.data.attributes.guestWaiting = { since: deadline, deadline }
      await route.fulfill({ response, json: body })
    })
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.hears(/^en: Please take your card/)
    await guest.hears(/^en: 2\d seconds$/)
    house.clock.advance(12_000)
    await guest.hears(/^en: 1\d seconds$/)
    isTaken = true
    await guest.reads('Enjoy your stay.')
    await guest.hears(/This page closes in 30 seconds/)
    guest.tab.expectClean()
    await guest.tab.close()
  })
})

/** Debian's voices, as the handbook says. The sound goes to a file. */
const withoutVoice = withoutBrowser || programMissing('espeak-ng', 'speech-dispatcher')
describe('a kiosk on a machine with espeak-ng', { skip: withoutVoice }, () => {
  const home = mkdtempSync(join(tmpdir(), 'nightporter-voice-'))
  const sound = join(home, 'sound.raw')
  let house: KioskHouse
  let browser: Browser
  before(async () => {
    writeFileSync(
      join(home, '.asoundrc'),
      `pcm.!default { type file slave.pcm "nothing" file "${sound}" format "raw" }\npcm.nothing { type null }\n`,
    )
    const settings = join(home, '.config/speech-dispatcher')
    mkdirSync(settings, { recursive: true })
    writeFileSync(
      join(settings, 'speechd.conf'),
      'AudioOutputMethod "alsa"\nAddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"\nDefaultModule espeak-ng\n',
    )
    house = await kioskHouse()
    browser = await launchBrowser({
      args: ['--enable-speech-dispatcher'],
      ignoreDefaultArgs: ['--mute-audio'],
      env: { PATH: process.env.PATH ?? '', HOME: home },
    })
  })
  after(async () => {
    await browser?.close()
    await house?.stop()
    // The browser has started the dispatcher of the speech, which outlives it.
    for (const { pid } of processes().filter(({ pid }) => commandOf(pid).includes(home))) process.kill(pid)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })

  const commandOf = (pid: number): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }

  for (const [language, listen, place] of [
    ['en', 'Listen', 'en-GB'],
    ['de', 'Vorlesen', 'de'],
    ['es', 'Escuchar', 'es'],
    ['fr', 'Écouter', 'fr-FR'],
    ['pt', 'Ouvir', 'pt'],
  ] as const)
    it(`reads the page aloud in ${language}, by a voice of the machine`, async () => {
      const before = existsSync(sound) ? statSync(sound).size : 0
      const { page } = await guestAt(house, tabIn(browser), { locale: language })
      await page.evaluate(`{
        window.ended = []
        const { speak } = speechSynthesis
        speechSynthesis.speak = (utterance) => {
          utterance.addEventListener('end', () => ended.push(utterance.voice.lang))
          speak.call(speechSynthesis, utterance)
        }
      }`)
      await until(
        'the voices',
        () => page.evaluate<number>('speechSynthesis.getVoices().length'),
        (count) => count > 0,
      )
      await house.during(page.getByRole('button', { name: listen, exact: true }).click())
      const [first] = await until(
        'the end of the speech',
        () => page.evaluate<string[]>('ended'),
        (all) => all.length > 0,
      )
      assert.equal(first, place)
      await until(
        'the sound',
        () => loudest(sound, before),
        (level) => level > 1_000,
      )
      assert.equal(await page.locator('.problem').locator('visible=true').count(), 0)
      await page.context().close()
    })
})

/** The highest level in a file of 16-bit samples, from an offset in bytes on. */
function loudest(file: string, from: number): number {
  if (!existsSync(file)) return 0
  const bytes = readFileSync(file).subarray(from)
  let most = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) most = Math.max(most, Math.abs(bytes.readInt16LE(at)))
  return most
}
