import type { ComponentChildren } from 'preact'
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { button } from '../lib/controls.ts'
import { classes, el, type View } from '../lib/el.ts'
import { hasVoice, isBlank, isListening, readingHelp, speak } from './speech.ts'
import { t } from './texts.ts'
import { isLower, leave, screen } from './visit.ts'
import { askForHelp } from './way.ts'

interface PageOptions {
  title: string
  /** The sentences below the title. */
  says: readonly string[]
  /** What is spoken instead of `says`. */
  spoken?: string
  /** What is shown above the controls, and not touched. */
  shows?: readonly ComponentChildren[]
  controls: ComponentChildren[]
  /** The box is at work: the guest can neither leave nor start anew. */
  isBusy?: boolean
}

/** A page of the kiosk: instructions above, everything that is touched below. */
export function page(options: PageOptions): View {
  return h(Page, options)
}

function Page({ title, says, spoken, shows = [], controls, isBusy = false }: PageOptions): View {
  const heading = useRef<HTMLHeadingElement>(null)
  const text = [title, spoken || says.join(' ')].join(' ')
  useEffect(() => {
    // Whoever listens hears the page; whoever uses a keypad begins at its top.
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus()
  }, [screen.value.name])
  useEffect(() => speak(text), [text, isListening.value])
  return el.div(
    { class: classes('kiosk-page', isLower.value && 'lower') },
    el.main(
      { class: 'instructions', 'aria-live': 'polite' },
      el.h1({ ref: heading, tabIndex: -1 }, title),
      says.map((each) => el.p({ key: each }, each)),
      ...shows,
      isListening.value && !hasVoice() && el.p({ class: 'problem', role: 'alert' }, t.value.noVoice),
    ),
    el.section({ class: 'controls' }, ...controls),
    foot(isBusy),
  )
}

function foot(isBusy: boolean): View {
  // The start needs no way back to it, and these pages have their own.
  const isStart = ['welcome', 'room', 'sentence'].includes(screen.value.name)
  return el.footer(
    { class: 'foot' },
    !isStart && !isBusy && button(t.value.startAgain, { onClick: leave, icon: 'undo' }),
    !isBusy && button(t.value.help, { onClick: () => void askForHelp(screen.value.name), icon: 'help' }),
    button(isLower.value ? t.value.higher : t.value.lower, {
      onClick: () => {
        isLower.value = !isLower.value
      },
      icon: 'down',
    }),
    button(isListening.value ? t.value.stopListening : t.value.listen, {
      onClick: () => (isListening.value ? readingHelp.end() : readingHelp.begin()),
      icon: 'sound',
    }),
    isListening.value &&
      hasVoice() &&
      button(isBlank.value ? t.value.unblank : t.value.blank, {
        onClick: () => {
          isBlank.value = !isBlank.value
        },
      }),
  )
}
