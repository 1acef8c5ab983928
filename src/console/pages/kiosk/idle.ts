import { computed, effect, signal } from '@preact/signals'
import { readStay } from './box.ts'
import { isOutdated, silentFor } from './house.ts'
import { endStuck, failsOften } from './recover.ts'
import { lastPages, type Screen } from './screen.ts'
import { type Limit, limits, questionSeconds, silentSeconds } from './screen-limits.ts'
import { chimeForGuest, speak } from './speech.ts'
import { t } from './texts.ts'
import { isChanged, leave, present, screen } from './visit.ts'

/** A screen without a limit does not compile. */
const limitOf: Readonly<Record<Screen['name'], Limit>> = limits

/** How long the last page is shown. */
export const farewellSeconds = limits.room.seconds
const farewellMoreSeconds = 60

/** The seconds left to ask for more time; null while the question is not shown. */
export const questionLeft = signal<number | null>(null)
/** The seconds until the last page closes; null on any other page. */
export const farewellLeft = signal<number | null>(null)

/** When the page was last touched, or when the machine began to work, by the browser's monotonic clock. */
let idleSince = performance.now()
const idleFor = () => (performance.now() - idleSince) / 1_000
const restart = () => {
  idleSince = performance.now()
}

/**
 * Ends each screen on which nothing happens, by the table of limits, and the page itself when it is old, fails often, or does not
 * look at the box any more.
 */
export function watchIdle(): void {
  for (const type of ['pointerdown', 'keydown'] as const)
    addEventListener(type, () => {
      if (limitOf[screen.value.name].ends !== 'recover') restart()
    })
  effect(() => {
    restart()
    questionLeft.value = null
    farewellLeft.value = lastPages.includes(kind.value) ? farewellSeconds : null
  })
  setInterval(tick, 1_000)
}

/** The kind of the page. A page on which the machine works is shown again and again. */
const kind = computed(() => {
  const { value } = screen
  if (value.name === 'take-card') return `take-card ${value.card}`
  return value.name === 'working' ? `working ${value.does} ${value.row}` : value.name
})

/** The time without a touch after which no guest is about to begin. */
const freeSeconds = 10
const isFree = () => screen.value.name === 'welcome' && idleFor() >= freeSeconds

function tick(): void {
  if (isFree() && (isOutdated || failsOften() || silentFor() >= silentSeconds))
    void globalThis.loadAnew?.(isFree).catch(console.error)
  const counted = farewellLeft.value === null ? questionLeft : farewellLeft
  if (counted.value !== null) {
    counted.value--
    if (counted.value <= 0) leave()
    return
  }
  const { seconds, ends } = limitOf[screen.value.name]
  if (idleFor() < seconds) return
  restart()
  if (ends === 'ask') ask()
  else if (ends === 'leave') {
    // A start page that no guest has changed stays, with the code that an installer types.
    if (screen.value.name !== 'welcome' || isChanged()) leave()
  } else void endStuck()
}

function ask(): void {
  questionLeft.value = questionSeconds
  chimeForGuest()
  speak(t.value.moreTimeQuestion)
}

/** The guest reads what was shown just now, for as long as the last page at least. */
export function keepFarewell(): void {
  if (farewellLeft.value !== null) farewellLeft.value = Math.max(farewellLeft.value, farewellSeconds)
}

/** The guest is still here. The box hears of it too, because it ends a proof after five minutes without a request. */
export function giveMoreTime(): void {
  const { found, signal } = present.value
  if (found) void readStay(found.stay, signal).catch(() => {})
  restart()
  questionLeft.value = null
  if (farewellLeft.value !== null) farewellLeft.value = farewellMoreSeconds
}
