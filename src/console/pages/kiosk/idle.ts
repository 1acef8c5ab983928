import { computed, effect, signal } from '@preact/signals'
import { readStay } from './box.ts'
import { chimeForGuest, speak } from './speech.ts'
import { t } from './texts.ts'
import { giveUp, leave, present, type Screen, screen } from './visit.ts'

/** After this time without a touch, the page asks whether the guest needs more time. */
const idleSeconds = 45
/** The time to answer. The guest may extend the visit as often as needed. */
const questionSeconds = 30
/** How long the last page is shown. */
export const farewellSeconds = 15
const farewellMoreSeconds = 60
/**
 * The longest time on a page whose end is up to the machine. Every wait of the box and of a payment terminal ends earlier, so
 * something unknown is wrong.
 */
const stuckSeconds = 420

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
 * Ends each page: where the machine works, the guest is sent to the desk when nothing happens, and on each other page a
 * guest who does not answer has left.
 */
export function watchIdle(): void {
  for (const type of ['pointerdown', 'keydown'] as const)
    addEventListener(type, () => {
      if (isUpToGuest(screen.value)) restart()
    })
  effect(() => {
    restart()
    questionLeft.value = null
    farewellLeft.value = kind.value === 'room' ? farewellSeconds : null
  })
  setInterval(tick, 1_000)
}

const isUpToGuest = ({ name }: Screen) => name !== 'working' && name !== 'paying' && name !== 'take-card'
/** The kind of the page. A page on which the machine works is shown again and again while it counts down. */
const kind = computed(() => {
  const { value } = screen
  return value.name === 'working' ? `working ${value.does} ${value.row}` : value.name
})

function tick(): void {
  if (farewellLeft.value !== null) {
    farewellLeft.value--
    if (farewellLeft.value <= 0) leave()
    return
  }
  if (questionLeft.value !== null) {
    questionLeft.value--
    if (questionLeft.value <= 0) leave()
    return
  }
  if (!isUpToGuest(screen.value)) endStuck(screen.value)
  // The next guest begins in the first language, without the help of the last one.
  else if (screen.value.name === 'welcome' && idleFor() >= idleSeconds) leave()
  else if (idleFor() >= idleSeconds) ask()
}

function endStuck(shown: Screen): void {
  if (idleFor() < stuckSeconds) return
  giveUp(shown.name === 'paying' ? 'paymentUnknown' : 'cannotMake', 'page-stuck')
}

function ask(): void {
  questionLeft.value = questionSeconds
  chimeForGuest()
  speak(t.value.moreTimeQuestion)
}

/** The guest is still here. The box hears of it too, because it ends a proof after five minutes without a request. */
export function giveMoreTime(): void {
  const { found, signal } = present.value
  if (found) void readStay(found.stay, signal).catch(() => {})
  restart()
  questionLeft.value = null
  if (farewellLeft.value !== null) farewellLeft.value = farewellMoreSeconds
}
