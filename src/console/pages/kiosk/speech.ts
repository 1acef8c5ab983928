import { computed, effect, signal } from '@preact/signals'
import { chime } from '../lib/controls/chime.ts'
import { language } from '../lib/language/language.ts'

/** Whether speech output is on. */
export const isListening = signal(false)
/** Whether the screen is blank, so that others cannot read it while the guest listens. */
export const isBlank = signal(false)
/** How loud the page speaks and sounds, from 1 to `loudest`. */
export const volume = signal(2)
export const loudest = 3

const voices = signal<readonly SpeechSynthesisVoice[]>([])
const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined

// The browser loads voices some time after the page has started.
const readVoices = () => {
  voices.value = synthesis?.getVoices() ?? []
}
readVoices()
synthesis?.addEventListener('voiceschanged', readVoices)

/** Where the language of each voice is spoken, if a machine has several. */
const homes: Readonly<Record<string, string>> = { en: 'gb', de: 'de', es: 'es', fr: 'fr', pt: 'pt' }

/**
 * A voice of this machine, so that spoken text never leaves the hotel; null without one. speech-dispatcher offers a
 * hundred for each language: every accent, each as every speaker, whose name follows a plus sign.
 */
const voice = computed<SpeechSynthesisVoice | null>(() => {
  const own = language.value
  const fit = voices.value.filter(
    ({ localService, lang }) => localService && lang.slice(0, 2).toLowerCase() === own,
  )
  const plain = fit.filter(({ name }) => !name.includes('+'))
  const isAtHome = ({ lang }: SpeechSynthesisVoice) =>
    [own, `${own}-${homes[own]}`].includes(lang.toLowerCase())
  return plain.find(isAtHome) ?? plain[0] ?? fit[0] ?? null
})

export const hasVoice = () => voice.value !== null

export const readingHelp = {
  begin() {
    isListening.value = true
  },
  end() {
    isListening.value = false
    isBlank.value = false
    volume.value = 2
    synthesis?.cancel()
  },
}

/** Speaks a text if speech output is on. It interrupts the current speech, unless the text is to follow it. */
export function speak(text: string, { follows = false } = {}): void {
  const with_ = voice.peek()
  if (!isListening.value || !synthesis || !with_ || text === '') return
  if (!follows) synthesis.cancel()
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.voice = with_
  utterance.lang = with_.lang
  utterance.volume = volume.peek() / loudest
  synthesis.speak(utterance)
}

/** Speaks each control that receives the focus, by its accessible name. */
export function speakFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) speak(nameOf(target), { follows: true })
  })
  effect(() => {
    document.body.classList.toggle('blank', isBlank.value)
  })
}

function nameOf(element: HTMLElement): string {
  if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent ?? ''
  return element.getAttribute('aria-label') ?? element.innerText
}

/** Two tones that ask for attention, as loud as the guest has set. */
export const chimeForGuest = () => chime(0.1 * volume.peek())
