import { h } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ApiError, get, type Resource } from '../../lib/api.ts'
import { button, failure, notice } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { dateText } from '../../lib/format.ts'
import { icon } from '../../lib/icons.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { type Controller, type Key, numberOf } from '../../lib/resources.ts'
import { goTo } from '../../lib/route.ts'
import { may } from '../../lib/session.ts'
import { useControllers } from '../guest/controllers.ts'
import { statusChip } from '../guest/sheet.ts'
import { roomsOf } from '../guest/stay.ts'
import { type Found, find, nameIn } from './find.ts'
import { t } from './texts.ts'

const afterLetterMs = 200

/** The search of every screen: number, name or room, and a card on an encoder. Arrows choose, Enter opens. */
export function Search(): View {
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [index, setIndex] = useState(0)
  const { found, isStale } = useFound(text)
  const waiting = useRef(false)
  useShortcuts([{ key: '/', name: t.value.search, run: () => input.current?.focus() }], [])
  const count = found?.stays.length ?? 0
  const close = () => {
    setOpen(false)
    setText('')
    setIndex(0)
    input.current?.blur()
  }
  const openAt = (at: number) => {
    const stay = found?.stays[at]
    if (!stay) return
    close()
    goTo('stay', [stay.id])
  }
  // Enter that was pressed before the answer came opens the first result.
  useEffect(() => {
    if (!waiting.current || isStale) return
    waiting.current = false
    openAt(0)
  })
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex(Math.min(count - 1, index + 1))
    else if (event.key === 'ArrowUp') setIndex(Math.max(0, index - 1))
    else if (event.key === 'Enter' && isStale && text.trim() !== '') waiting.current = true
    else if (event.key === 'Enter') openAt(index)
    else return
    event.preventDefault()
  }
  return el.search(
    {
      class: 'search',
      // The results cover the screen, so that they go as soon as the clerk is at something else.
      onFocusOut: ({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false)
      },
      onKeyDown: (event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      },
    },
    icon('search'),
    el.input({
      ref: input,
      type: 'text',
      role: 'combobox',
      value: text,
      placeholder: t.value.search,
      'aria-label': t.value.search,
      'aria-expanded': isOpen,
      'aria-controls': list,
      'aria-autocomplete': 'list',
      ...(isOpen && count > 0 && { 'aria-activedescendant': `${list}-${index}` }),
      autocomplete: 'off',
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
        found?.failed && failure(found.failed),
        results(list, found, index, openAt),
        found && count === 0 && el.p(null, t.value.none),
        found &&
          may('reservations.write') &&
          button(t.value.walkIn(text.trim()), {
            onClick: () => {
              close()
              goTo('walk-in', [text.trim()])
            },
            icon: 'walkin',
          }),
        h(ReadCard, { done: close }),
        el.button(
          { type: 'button', class: 'close', 'aria-label': t.value.close, onClick: close },
          icon('cross'),
        ),
      ),
  )
}

function results(list: string, found: Found | null, index: number, open: (at: number) => void): View {
  return el.ul(
    { id: list, role: 'listbox', 'aria-label': t.value.results },
    (found?.stays ?? []).map((stay, at) =>
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
        statusChip(stay.attributes.status),
      ),
    ),
  )
}

/** What a text finds, a moment after the last letter. Earlier searches are given up. */
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

/** A card that lies on an encoder is a search: it opens the stay of its key. */
function ReadCard({ done }: { done: () => void }): View | null {
  const [said, setSaid] = useState<View | null>(null)
  const [isBusy, setBusy] = useState(false)
  const all = (useControllers().data ?? []).filter(({ attributes }) => attributes.keyType === 'keyCard')
  async function read({ id }: Resource<Controller>): Promise<void> {
    setBusy(true)
    setSaid(el.p(null, t.value.reading))
    try {
      const answer = await get<Resource<Key> | null>(`/api/v2/access/controllers/${id}/key`, {
        timeoutMs: 60_000,
      })
      const stayId = answer.data?.attributes.stayId
      if (stayId) {
        done()
        goTo('stay', [stayId])
      } else setSaid(notice('warning', whyNone(answer.data, answer.meta)))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setSaid(failure(error))
    } finally {
      setBusy(false)
    }
  }
  if (all.length === 0 || !may('keys.read')) return null
  return el.div(
    { class: 'stack' },
    el.div(
      { class: 'row' },
      all.map((each) =>
        button(t.value.readCard(each.attributes.name), {
          onClick: () => void read(each),
          icon: 'card',
          isBusy,
        }),
      ),
    ),
    said,
  )
}

function whyNone(key: Resource<Key> | null, meta: Record<string, unknown> | undefined): string {
  const card = meta?.card as { blank?: boolean; decodedUnitName?: string | null } | undefined
  if (card?.blank) return t.value.blank
  const room = key?.attributes.unitName ?? card?.decodedUnitName
  return room ? t.value.noStay(room) : t.value.unknownCard
}
