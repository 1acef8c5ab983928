import { type ComponentChildren, h } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { common } from '../language/common-texts.ts'
import { momentText } from '../language/format.ts'
import { isLineDead } from '../server/line.ts'
import { classes, el, type View } from './el.ts'
import { type IconName, icon } from './icons.ts'
import { coverShortcuts, DialogDepth } from './keys.ts'
import { beginAction } from './passing.ts'

interface ButtonOptions {
  onClick: () => void
  /** `soft` is the next step where something must be done first, `danger` ends something, such as a stay or a key. */
  kind?: 'main' | 'soft' | 'plain' | 'danger' | 'main danger'
  icon?: IconName
  /** The shortcut, shown beside the text. */
  letter?: string
  isDisabled?: boolean
  /** Shows that the work is running. A second press does nothing. */
  isBusy?: boolean
  /** Shows that the button waits for the work of another one. A press does nothing. */
  isHeld?: boolean
  /** Disabled without a connection, because the action writes to the box. Default where it submits or can be busy. */
  isWriting?: boolean
  type?: 'button' | 'submit'
  /** Receives the focus when its dialogue opens. */
  isFirst?: boolean
  /** A longer accessible name, when the text alone is not clear. */
  name?: string
}

/** A button with its icon and the letter that presses it. */
export function button(
  label: string,
  { onClick, kind = 'plain', type = 'button', ...more }: ButtonOptions,
): View {
  const { letter, isDisabled = false, isBusy = false, isHeld = false, isFirst = false, name } = more
  const { isWriting = type === 'submit' || more.isBusy !== undefined } = more
  const lacksLine = isWriting && isLineDead.value
  return el.button(
    {
      type,
      class: classes('button', kind),
      disabled: isDisabled || lacksLine,
      ...(isHeld && { title: common.value.isHeld }),
      ...(lacksLine && { title: common.value.needsLine }),
      autofocus: isFirst,
      'aria-busy': isBusy,
      'aria-disabled': isBusy || isHeld,
      ...(name && { 'aria-label': name }),
      ...(letter && { 'aria-keyshortcuts': letter }),
      onClick: () => {
        if (!isBusy && !isHeld) onClick()
      },
    },
    more.icon && icon(more.icon),
    label !== '' && el.span(null, label),
    letter && el.kbd({ 'aria-hidden': true }, letter),
  )
}

export type Kind = 'ok' | 'warning' | 'error' | 'info'
/** The colour of a state: also of one that asks for a decision today, and of one that is over. */
export type Tone = Kind | 'leaving' | 'over'
const kindIcons: Record<Kind, IconName> = { ok: 'check', warning: 'alarm', error: 'alarm', info: 'help' }

/** A state as colour, icon and word, so that people who cannot see one of them understand it. */
export function chip(tone: Kind, text: string, name?: IconName): View
export function chip(tone: Tone, text: string, name: IconName): View
export function chip(tone: Tone, text: string, name = kindIcons[tone as Kind]): View {
  return el.span({ class: classes('chip', tone) }, icon(name), text)
}

/** A message that stays: what happened, what it means, what to do. */
export function notice(kind: Kind, title: ComponentChildren, ...children: ComponentChildren[]): View {
  return el.div(
    { class: classes('notice', kind), role: kind === 'error' ? 'alert' : 'status' },
    icon(kindIcons[kind]),
    el.div(null, el.strong(null, title), ...children),
  )
}

/** A bar at the top of a part that is loading. It appears after 300 ms (in the style sheet). */
export function loadingBar(isLoading: boolean): View | null {
  return isLoading
    ? el.div({ class: 'loading', role: 'progressbar', 'aria-label': common.value.loading })
    : null
}

/** Shows the time of the last data when they cannot be read again. */
export function asOfText(asOf: number | null): View | null {
  return asOf === null ? null : el.p({ class: 'as-of' }, common.value.asOf(momentText(asOf)))
}

interface FieldOptions {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: string
  /** Why the value was refused. */
  error?: string | null
  type?: 'text' | 'password' | 'date' | 'time' | 'number' | 'email' | 'tel' | 'search'
  inputMode?: 'text' | 'numeric' | 'decimal'
  autocomplete?: string
  maxLength?: number
  min?: string
  max?: string
  isRequired?: boolean
  isDisabled?: boolean
  /** Receives the focus when it is shown. */
  isFirst?: boolean
}

/** An input with its label, hint and refusal. */
export function Field({ label, value, onInput, hint, error = null, ...more }: FieldOptions): View {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (more.isFirst) input.current?.focus()
  }, [])
  const { type = 'text', inputMode, autocomplete = 'off', maxLength, min, max } = more
  return el.div(
    { class: classes('field', error !== null && 'refused') },
    el.label({ for: id }, label),
    el.input({
      ref: input,
      id,
      // The input elements have different types; all have the attributes of FieldOptions.
      type: type as 'text',
      value,
      autocomplete,
      spellcheck: false,
      required: more.isRequired ?? false,
      disabled: more.isDisabled ?? false,
      autofocus: more.isFirst ?? false,
      'aria-describedby': `${id}-hint`,
      'aria-invalid': error !== null,
      ...(inputMode && { inputMode }),
      ...(maxLength && { maxLength }),
      ...(min && { min }),
      ...(max && { max }),
      onInput: ({ currentTarget }) => onInput(currentTarget.value),
    }),
    el.div({ id: `${id}-hint`, class: 'hint' }, error === null ? hint : el.span({ role: 'alert' }, error)),
  )
}

interface ChoiceOptions<V extends string> {
  label: string
  value: V
  choices: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => void
  isDisabled?: boolean
  /** Receives the focus when it is shown. */
  isFirst?: boolean
}

/** A choice of one among a few. */
export function Choice<V extends string>({
  label,
  value,
  choices,
  onChange,
  isDisabled,
  isFirst = false,
}: ChoiceOptions<V>): View {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (isFirst) select.current?.focus()
  }, [])
  return el.div(
    { class: 'field' },
    el.label({ for: id }, label),
    el.select(
      {
        ref: select,
        id,
        value,
        disabled: isDisabled ?? false,
        onChange: ({ currentTarget }) => onChange(currentTarget.value as V),
      },
      choices.map(([each, text]) => el.option({ key: each, value: each, selected: each === value }, text)),
    ),
  )
}

interface DialogOptions {
  title: string
  onClose: () => void
  children?: ComponentChildren
}

/**
 * A modal dialogue: the focus stays in it, Escape closes it, and Ctrl+Enter presses its main button. Shortcuts of the
 * page below do not work.
 */
export function Dialog({ title, onClose, children }: DialogOptions): View {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const depth = useContext(DialogDepth)
  useLayoutEffect(() => {
    const shown = dialog.current
    // The screens of a locked station are not in the document, and open their dialogues later.
    if (shown?.isConnected) shown.showModal()
    else shown?.setAttribute('open', '')
    // As with Tab: what a person types at once replaces the suggested value.
    const focused = document.activeElement
    if (focused instanceof HTMLInputElement && shown?.contains(focused)) focused.select()
    const uncover = coverShortcuts()
    beginAction()
    return () => {
      uncover()
      // Closing returns the focus to the control that had it; if that is gone, the focus moves to the page.
      shown?.close()
      queueMicrotask(keepFocus)
    }
  }, [])
  return el.dialog(
    {
      ref: dialog,
      class: 'dialog',
      'aria-labelledby': id,
      onCancel: (event) => {
        event.preventDefault()
        onClose()
      },
      onKeyDown: (event) => {
        // A dialogue inside this one has already used the key.
        if (event.key !== 'Enter' || !event.ctrlKey || event.defaultPrevented) return
        event.preventDefault()
        event.currentTarget.querySelector<HTMLButtonElement>('.button.main:not(:disabled)')?.click()
      },
    },
    el.header(
      null,
      el.h2({ id }, title),
      el.button(
        { type: 'button', class: 'close', 'aria-label': common.value.close, onClick: onClose },
        icon('cross'),
      ),
    ),
    h(DialogDepth.Provider, { value: depth + 1 }, children),
  )
}

/** Moves the focus to the innermost part of the page when no element has it. */
export function keepFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const inDialog = dialog?.querySelector<HTMLElement>('.button.main') ?? dialog?.querySelector('button')
  const part = inDialog ?? document.getElementById('sheet') ?? document.getElementById('main')
  part?.focus({ preventScroll: true })
}
