import { h, type TargetedFocusEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { button, notice } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { goTo, openStay } from '../../lib/controls/route.ts'
import { useTask } from '../../lib/controls/task.ts'
import { dateText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { type Controller, numberOf } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { keyInHand, type ReadCard, readCard, useCardEncoders } from '../cards/reading.ts'
import { stateOf, stayChip } from '../stay/states.ts'
import { roomsOf } from '../stay/stay.ts'
import { cardReaders } from './card-readers.ts'
import { type Found, find, kinds, nameIn } from './find.ts'
import { t } from './texts.ts'

const afterLetterMs = 200
/** The longest text that the box searches. */
const longest = 200

/** The search of every screen: number, name or room, and a card on an encoder. Arrow keys choose, Enter opens. */
export function Search(): View {
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(0)
  const { found, isStale } = useFound(text)
  useShortcuts([{ key: '/', name: t.value.search, run: () => input.current?.focus() }], [])
  const count = found?.stays.length ?? 0
  const close = () => {
    setOpen(false)
    setText('')
    setIndex(0)
    input.current?.blur()
  }
  const { mayWalkIn, isNew, walkIn } = useWalkIn(text, isOpen ? found : null, isStale, close)
  const openAt = (at: number) => {
    const result = found?.stays[at]
    if (!result) return
    close()
    goTo('stay', [result.stay.id])
  }
  const waitForAnswer = useWaiting(found, isStale, () => openAt(0))
  useEffect(() => document.getElementById(`${list}-${index}`)?.scrollIntoView({ block: 'nearest' }), [index])
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex((at) => Math.min(count - 1, at + 1))
    else if (event.key === 'ArrowUp') setIndex((at) => Math.max(0, at - 1))
    else if (event.key === 'Enter' && isStale && text.trim() !== '') waitForAnswer()
    else if (event.key === 'Enter' && isNew) walkIn()
    else if (event.key === 'Enter') openAt(index)
    else return
    event.preventDefault()
  }
  return el.search(
    { class: 'search', ...closing(() => setOpen(false), close) },
    icon('search'),
    el.input({
      ...boxOf(list, isOpen, isOpen && count > 0 ? index : null),
      ref: input,
      value: text,
      onFocus: () => setOpen(true),
      onInput: ({ currentTarget }) => {
        setText(currentTarget.value)
        setIndex(0)
        setOpen(true)
      },
      onKeyDown: pressed,
    }),
    el.kbd({ 'aria-hidden': true }, '/'),
    isOpen &&
      el.div(
        { class: 'results' },
        text.trim() === '' && el.p({ class: 'quiet' }, t.value.hint),
        found?.failed && notice('warning', t.value.partly, el.p(null, found.failed)),
        results(list, found, index, openAt),
        found && !found.failed && count === 0 && el.p(null, t.value.none),
        mayWalkIn &&
          button(t.value.walkIn(text.trim()), {
            onClick: walkIn,
            icon: 'walkin',
            ...(isNew && { letter: 'Enter' }),
          }),
        h(CardReader, { done: close }),
        el.button(
          { type: 'button', class: 'close', 'aria-label': t.value.close, onClick: close },
          icon('cross'),
        ),
      ),
  )
}

/** The results cover the screen, so they close when the clerk leaves the search, and with Escape. */
const closing = (left: () => void, escaped: () => void) => ({
  onFocusOut: ({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>) => {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) left()
  },
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    escaped()
  },
})

/** What the field of the search says of itself and of its list. `active`: the result that the arrow keys have chosen. */
const boxOf = (list: string, isOpen: boolean, active: number | null) =>
  ({
    type: 'text',
    role: 'combobox',
    maxLength: longest,
    placeholder: t.value.what,
    // The placeholder has space in every language.
    size: t.value.what.length + 1,
    'aria-label': t.value.search,
    'aria-expanded': isOpen,
    'aria-controls': list,
    'aria-autocomplete': 'list',
    ...(active !== null && { 'aria-activedescendant': `${list}-${active}` }),
    autocomplete: 'off',
  }) as const

/** The offer to enter a guest who was not found. */
function useWalkIn(text: string, found: Found | null, isStale: boolean, close: () => void) {
  const name = text.trim()
  const walkIn = () => {
    close()
    goTo('walk-in', [name])
  }
  // A name has no digits. A number or a room that is not found is no guest.
  const mayWalkIn = found !== null && !/\d/.test(text) && may('reservations.write')
  const isNew = mayWalkIn && !isStale && !found.failed && found.stays.length === 0
  useShortcuts(mayWalkIn ? [{ key: 'w', name: t.value.walkIn(name), run: walkIn }] : [], [mayWalkIn, text])
  return { mayWalkIn, isNew, walkIn }
}

/** Returns the function that waits for the answer: its first result is opened, unless it only has a similar name. */
function useWaiting(found: Found | null, isStale: boolean, open: () => void): () => void {
  const waiting = useRef(false)
  useEffect(() => {
    if (!waiting.current || isStale) return
    waiting.current = false
    if (found?.stays[0]?.kind !== 'nearName') open()
  })
  return () => {
    waiting.current = true
  }
}

/** The results of each kind below its name. The arrow keys go through all of them. */
function results(list: string, found: Found | null, index: number, open: (at: number) => void): View {
  const all = (found?.stays ?? []).map((each, at) => ({ ...each, at }))
  return el.div(
    { id: list, role: 'listbox', 'aria-label': t.value.results },
    kinds.map((kind) => {
      const own = all.filter((each) => each.kind === kind)
      if (own.length === 0) return null
      return el.ul(
        { key: kind, role: 'group', 'aria-label': t.value.kinds[kind] },
        el.li({ role: 'presentation', class: 'quiet' }, t.value.kinds[kind]),
        own.map(({ stay, at }) =>
          el.li(
            {
              key: stay.id,
              id: `${list}-${at}`,
              role: 'option',
              'aria-selected': at === index,
              class: classes('line', at === index && 'chosen'),
              onClick: () => open(at),
            },
            el.strong(null, nameIn(stay, found?.included ?? [])),
            el.span(null, numberOf(stay)),
            el.span(null, roomsOf(stay) || t.value.noRoom),
            el.span(
              { class: 'quiet' },
              `${dateText(stay.attributes.startDate)} – ${dateText(stay.attributes.endDate)}`,
            ),
            stayChip(stateOf(stay.attributes)),
          ),
        ),
      )
    }),
  )
}

/** Searches a moment after the last typed letter, and cancels earlier searches. */
function useFound(text: string): { found: Found | null; isStale: boolean } {
  const [state, setState] = useState<{ for: string; found: Found | null }>({ for: '', found: null })
  useEffect(() => {
    const words = text.trim()
    if (words === '') {
      setState({ for: text, found: null })
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      find(words, stop.signal).then(
        (found) => setState({ for: text, found }),
        (error: unknown) => {
          if (!stop.signal.aborted) throw error
        },
      )
    }, afterLetterMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return { found: state.found, isStale: state.for !== text }
}

/** Reads the card on an encoder and opens the stay of its key, which says what this card opens. */
function CardReader({ done }: { done: () => void }): View | null {
  const encoders = useCardEncoders()
  const task = useTask()
  const [strange, setStrange] = useState<ReadCard | null>(null)
  const read = (encoder: Resource<Controller>) =>
    task.run(encoder.id, async () => {
      setStrange(null)
      const card = await readCard(encoder)
      const stayId = card.key?.attributes.stayId
      if (!stayId) return setStrange(card)
      done()
      keyInHand.value = card.key
      openStay(stayId)
    })
  if (encoders.length === 0 || !may('keys.read')) return null
  return el.div(
    { class: 'stack' },
    cardReaders(encoders, task, read),
    strange && notice('warning', whyNone(strange)),
  )
}

function whyNone({ isBlank, room }: ReadCard): string {
  if (isBlank) return t.value.blank
  return room ? t.value.noStay(room) : t.value.unknownCard
}
