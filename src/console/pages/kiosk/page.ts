import type { ComponentChildren } from 'preact'
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { button } from '../lib/controls/controls.ts'
import { classes, el, type View } from '../lib/controls/el.ts'
import { house } from './house.ts'
import { late } from './late.ts'
import { lastPages } from './screen.ts'
import { stepList } from './screens/steps.ts'
import { hasVoice, isBlank, isListening, loudest, readingHelp, speak, volume } from './speech.ts'
import { t } from './texts.ts'
import { askForHelp, isLower, leave, type Visit } from './visit.ts'

interface PageOptions {
  visit: Visit
  title: string
  /** The sentences below the title. */
  says: readonly string[]
  /** The spoken text, if it differs from `says`. */
  spoken?: string
  /** A text below the sentences. */
  shows?: readonly ComponentChildren[]
  /** The picture beside the words, which says nothing that the words do not say. */
  picture?: ComponentChildren
  /** What is touched, and what is read beside it. */
  controls: ComponentChildren[]
  /** The last row of the controls, see `decision`. */
  decides?: View
  /** The box makes something for the guest, who can neither leave nor start again. */
  isWorking?: boolean
}

/** A page of the kiosk: picture, instructions and steps in the upper part, which is not touched, and all controls below. */
export function page(options: PageOptions): View {
  return h(Page, options)
}

function Page({
  visit,
  title,
  says,
  spoken,
  shows = [],
  picture,
  controls,
  decides,
  isWorking = false,
}: PageOptions): View {
  const { name } = visit.screen.value
  const isStart = name === 'welcome'
  const heading = useRef<HTMLHeadingElement>(null)
  const text = [title, spoken || says.join(' ')].join(' ')
  useEffect(() => {
    // Moves the focus to the top, so that a screen reader reads the page, and a keypad starts there.
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus()
  }, [visit.screen.value.name])
  useEffect(() => speak(text), [text, isListening.value])
  const isWaiting = visit.isBusy.value && !isWorking
  useEffect(() => {
    const waits = isWaiting && setTimeout(() => speak(t.value.oneMoment, { follows: true }), 1_000)
    return () => clearTimeout(waits || undefined)
  }, [isWaiting])
  return el.div(
    { class: classes('kiosk-page', isLower.value && 'lower', isStart && 'attract') },
    el.div(
      { class: 'stage' },
      brand(),
      el.main(
        { class: 'instructions', 'aria-live': 'polite' },
        el.h1({ ref: heading, tabIndex: -1 }, title),
        says.map((each) => el.p({ key: each }, each)),
        ...shows,
        isWaiting && el.p({ class: 'late' }, t.value.oneMoment),
        isWaiting && el.div({ class: 'at-work late', role: 'progressbar', 'aria-label': t.value.oneMoment }),
        isListening.value && !hasVoice() && el.p({ class: 'problem', role: 'alert' }, t.value.noVoice),
      ),
      el.div(
        { class: 'picture', 'aria-hidden': true },
        picture ?? image('photo', house.value.images.picture) ?? late.value?.housePicture(),
      ),
      visit.reached && stepList(visit.reached, lastPages.includes(name)),
    ),
    el.section({ class: 'controls', 'aria-busy': isWaiting }, ...controls, decides),
    foot(visit, isWorking),
  )
}

/** The logo and the name of the hotel. The first page has the name in its title. */
function brand(): View {
  const { images, name } = house.value
  return el.div({ class: 'brand' }, image('logo', images.logo), el.span(null, name))
}

/** A picture of the house. One that cannot be loaded leaves no trace. */
function image(name: string, src: string | undefined): View | undefined {
  if (src === undefined) return undefined
  const hide = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.hidden = true
  }
  return el.img({ key: src, class: name, src, alt: '', onError: hide })
}

function foot(visit: Visit, isWorking: boolean): View {
  // The start page needs no button for going back, and these pages have their own.
  const isStart = ['welcome', 'sentence', ...lastPages].includes(visit.screen.value.name)
  return el.footer(
    { class: 'foot' },
    !isStart && !isWorking && button(t.value.startAgain, { onClick: leave, icon: 'undo' }),
    !isWorking && button(t.value.help, { onClick: () => askForHelp(visit), icon: 'help' }),
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
      button(t.value.volume(volume.value, loudest), { onClick: changeVolume, icon: 'sound' }),
    isListening.value &&
      hasVoice() &&
      button(isBlank.value ? t.value.unblank : t.value.blank, {
        onClick: () => {
          isBlank.value = !isBlank.value
          if (isBlank.value) speak(t.value.blanked)
        },
      }),
  )
}

/** The row at the end of the controls: the way back, and the button that leads on, at the same place on every page. */
export function decision(visit: Visit, onwards: View | null, back: () => unknown = visit.back): View {
  return el.div(
    { class: 'decision' },
    visit.hasBack && button(t.value.back, { onClick: () => void back(), icon: 'left' }),
    onwards,
  )
}

/** After the loudest comes the quietest. */
function changeVolume(): void {
  volume.value = (volume.value % loudest) + 1
  speak(t.value.volume(volume.value, loudest))
}
