import { effect, signal } from '@preact/signals'
import { chime, speak } from './speech.ts'
import { t } from './texts.ts'
import { leave, type Screen, screen } from './visit.ts'

/** So long nobody has touched anything before the guest is asked. */
const idleSeconds = 45
/** So long the question stands. It may be answered as often as the guest needs. */
const questionSeconds = 30
/** So long the last page stays. */
const farewellSeconds = 15
const farewellMoreSeconds = 60

/** The seconds that are left to say that more time is needed; null while nobody is asked. */
export const questionLeft = signal<number | null>(null)
/** The seconds after which the last page closes; null on every other page. */
export const farewellLeft = signal<number | null>(null)

let idle = 0

/** Watches whether the guest is still there. While the box is at work or a card waits at the gate, the box keeps the time. */
export function watchIdle(): void {
  for (const type of ['pointerdown', 'keydown'] as const)
    addEventListener(type, () => {
      idle = 0
    })
  effect(() => {
    const { name } = screen.value
    idle = 0
    questionLeft.value = null
    farewellLeft.value = name === 'room' ? farewellSeconds : null
  })
  setInterval(tick, 1_000)
}

const isWatched = ({ name }: Screen) => !['welcome', 'working', 'take-card', 'room'].includes(name)

function tick(): void {
  if (farewellLeft.value !== null) {
    farewellLeft.value--
    if (farewellLeft.value <= 0) leave()
    return
  }
  if (!isWatched(screen.value)) return
  if (questionLeft.value !== null) {
    questionLeft.value--
    if (questionLeft.value <= 0) leave()
  } else if (++idle >= idleSeconds) ask()
}

function ask(): void {
  questionLeft.value = questionSeconds
  chime()
  speak(t.value.moreTimeQuestion)
}

export function giveMoreTime(): void {
  idle = 0
  questionLeft.value = null
  if (farewellLeft.value !== null) farewellLeft.value = farewellMoreSeconds
}
