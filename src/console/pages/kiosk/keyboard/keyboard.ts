import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { language } from '../../lib/language/language.ts'
import { late } from '../late.ts'
import { decision } from '../page.ts'
import { speak } from '../speech.ts'
import { t } from '../texts.ts'
import type { Visit } from '../visit.ts'
import { keyRows, type Layout } from './key-rows.ts'

interface EntryOptions {
  visit: Visit
  label: string
  layout: Layout
  done: string
  onDone(value: string): void
  /** Why the last entry was not accepted. */
  problem?: string | null
  /** Whether the guest can hide the typed text, such as a booking number. */
  isSecret?: boolean
  /** Continues without an entry. */
  skip?: { label: string; run(): void }
  /** What stands above the field. */
  above?: View
  /** Shows the page before this one, if that is not a page of the visit. */
  back?(): void
  /** What the field has at first. */
  initial?: string
  /** What stands below the field while this text is in it, what is spoken of it, and whether the text is complete. */
  about?(value: string): { shows: View; spoken: string; isComplete: boolean }
}

/** A scanner begins the next line of a code within this time, and ends each line with Enter: the code is one text. */
const nextLineMs = 100

/** A text field with an on-screen keyboard. A real keyboard or keypad works too. */
export function Entry({
  visit,
  label,
  layout,
  done,
  onDone,
  problem = null,
  isSecret = false,
  skip,
  above,
  back,
  initial = '',
  about,
}: EntryOptions): View {
  const [value, setValue] = useState(initial)
  const [isHidden, setHidden] = useState(false)
  const { shows, spoken = '', isComplete = true } = about?.(value) ?? {}
  const isReady = isComplete && value.trim() !== ''
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // Before the next key: a scanner types faster than the screen is drawn.
  useLayoutEffect(() => {
    if (field.current) focusAtEnd(field.current)
    const toField = (event: KeyboardEvent) => {
      if (field.current && isTyped(event, field.current)) focusAtEnd(field.current)
    }
    addEventListener('keydown', toField)
    return () => removeEventListener('keydown', toField)
  }, [])
  useEffect(() => speak(spoken, { follows: true }), [spoken])
  const ended = useRef(0)
  const put = (next: string, spoken: string) => {
    clearTimeout(ended.current)
    setValue(next)
    speak(isHidden ? t.value.asterisk : spoken)
  }
  const confirm = button(done, { onClick: () => {}, kind: 'main', type: 'submit', isDisabled: !isReady })
  return el.form(
    {
      class: 'entry',
      onSubmit: (event) => {
        event.preventDefault()
        clearTimeout(ended.current)
        if (!isReady) return
        if (layout === 'number') setValue(`${value}; `)
        ended.current = setTimeout(onDone, nextLineMs, value.trim())
      },
    },
    above,
    el.label({ for: id }, label),
    el.input({
      ref: field,
      id,
      // The types of elements tell each kind of input apart; both kinds have the attributes below.
      type: (isHidden ? 'password' : 'text') as 'text',
      value,
      // Suppresses the keyboard of the operating system.
      inputMode: 'none',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: layout === 'number' ? 400 : 80,
      'aria-describedby': `${id}-problem`,
      'aria-invalid': problem !== null,
      onInput: ({ currentTarget }) => put(currentTarget.value, currentTarget.value.slice(-1)),
    }),
    el.p({ id: `${id}-problem`, class: 'problem', role: 'alert' }, problem),
    shows,
    keyboard(layout, {
      type: (character) => put(value + character, character),
      remove: () => put(value.slice(0, -1), t.value.keys.delete),
      clear: () => put('', t.value.keys.clear),
    }),
    (isSecret || skip) &&
      el.div(
        { class: 'choices' },
        isSecret &&
          button(isHidden ? t.value.showInput : t.value.hideInput, { onClick: () => setHidden(!isHidden) }),
        skip && button(skip.label, { onClick: skip.run }),
      ),
    decision(visit, confirm, back),
  )
}

/**
 * Whether a key writes into the field, although something else has the focus: a scanner or a keyboard is used after a touch on a
 * button. Space and Enter press the button that has the focus.
 */
function isTyped({ key, ctrlKey, altKey, metaKey, target }: KeyboardEvent, field: HTMLInputElement): boolean {
  if (target === field || ctrlKey || altKey || metaKey || document.querySelector('dialog[open]')) return false
  return key === 'Backspace' || isCharacter(key)
}

/** Whether a key writes a character; the space bar also presses buttons. */
export const isCharacter = (key: string) => key !== ' ' && [...key].length === 1

/** The browser gives the pressed key to the field that has the focus then. */
function focusAtEnd(field: HTMLInputElement): void {
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
}

interface Keys {
  type(character: string): void
  remove(): void
  clear(): void
}

function keyboard(layout: Layout, { type, remove, clear }: Keys): View {
  const key = (label: string, run: () => void, name: string, isWide = false) =>
    el.button(
      {
        key: name,
        type: 'button',
        class: isWide ? 'key wide' : 'key',
        'aria-label': name,
        onClick: run,
        // The focus stays in the field, for a scanner or a real keyboard.
        onPointerDown: (event) => event.preventDefault(),
      },
      label,
    )
  return el.div(
    { class: `keyboard ${layout}`, role: 'group' },
    keyRows(layout, late.value?.letters[language.value]).map((row) =>
      el.div(
        { key: row, class: 'keys-row' },
        [...row].map((character) => key(character, () => type(character), character)),
      ),
    ),
    el.div(
      { class: 'keys-row' },
      (layout === 'name' || layout === 'text') &&
        key(t.value.keys.space, () => type(' '), t.value.keys.space, true),
      key('⌫', remove, t.value.keys.delete, true),
      key(t.value.keys.clear, clear, t.value.keys.clear, true),
    ),
  )
}
