import { effect, signal } from '@preact/signals'
import { language } from '../lib/language.ts'

/** Whether the guest listens. */
export const isListening = signal(false)
/** Whether the screen shows nothing, for a guest who listens and does not want to be read. */
export const isBlank = signal(false)

const voices = signal<readonly SpeechSynthesisVoice[]>([])
const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined

// Voices are found some time after the page has started.
const readVoices = () => {
  voices.value = synthesis?.getVoices() ?? []
}
readVoices()
synthesis?.addEventListener('voiceschanged', readVoices)

/** A voice of this machine: nothing that a guest hears leaves the house. Null without one. */
function voice(): SpeechSynthesisVoice | null {
  const isFit = ({ localService, lang }: SpeechSynthesisVoice) =>
    localService && lang.slice(0, 2).toLowerCase() === language.value
  return voices.value.find(isFit) ?? null
}

export const hasVoice = () => voice() !== null

export const readingHelp = {
  begin() {
    isListening.value = true
  },
  end() {
    isListening.value = false
    isBlank.value = false
    synthesis?.cancel()
  },
}

/** Speaks a text to a guest who listens. What is spoken already is broken off, unless the text is to follow it. */
export function speak(text: string, { follows = false } = {}): void {
  const with_ = voice()
  if (!isListening.value || !synthesis || !with_ || text === '') return
  if (!follows) synthesis.cancel()
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.voice = with_
  utterance.lang = with_.lang
  synthesis.speak(utterance)
}

/** Speaks each control that gets the focus, by the name that a screen reader would use. */
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

/** Two tones that ask for attention. */
export function chime(): void {
  const context = new AudioContext()
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = hertz
    volume.gain.value = 0.2
    tone.connect(volume).connect(context.destination)
    tone.start(context.currentTime + index * 0.25)
    tone.stop(context.currentTime + index * 0.25 + 0.2)
    if (index === 1) tone.addEventListener('ended', () => void context.close())
  }
}
