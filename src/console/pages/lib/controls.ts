import { type ComponentChildren, h } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiError } from './api.ts'
import { common } from './common-texts.ts'
import { classes, el, type View } from './el.ts'
import { momentText } from './format.ts'
import { type IconName, icon } from './icons.ts'
import { coverShortcuts, DialogDepth } from './keys.ts'

interface ButtonOptions {
  onClick: () => void
  kind?: 'main' | 'plain' | 'danger'
  icon?: IconName
  /** The letter that does the same, shown beside the word. */
  letter?: string
  isDisabled?: boolean
  /** Shows that the work is under way; a second press does nothing. */
  isBusy?: boolean
  type?: 'button' | 'submit'
  /** Has the focus when its dialogue opens. */
  isFirst?: boolean
  /** A longer name for a screen reader, when the word alone is not clear. */
  name?: string
}

export function button(
  label: string,
  { onClick, kind = 'plain', type = 'button', ...more }: ButtonOptions,
): View {
  const { letter, isDisabled = false, isBusy = false, isFirst = false, name } = more
  return el.button(
    {
      type,
      class: classes('button', kind, isBusy && 'busy'),
      disabled: isDisabled,
      autofocus: isFirst,
      'aria-busy': isBusy,
      ...(name && { 'aria-label': name }),
      ...(letter && { 'aria-keyshortcuts': letter }),
      onClick: () => {
        if (!isBusy) onClick()
      },
    },
    more.icon && icon(more.icon),
    el.span(null, label),
    letter && el.kbd({ 'aria-hidden': true }, letter),
  )
}

export type Kind = 'ok' | 'warning' | 'error' | 'info'
const kindIcons: Record<Kind, IconName> = { ok: 'check', warning: 'alarm', error: 'alarm', info: 'help' }

/** A state: colour, icon and word, so that none of them is needed alone. */
export function chip(kind: Kind, text: string, name: IconName = kindIcons[kind]): View {
  return el.span({ class: classes('chip', kind) }, icon(name), text)
}

/** A message that stays: what happened, what it means, what to do. */
export function notice(kind: Kind, title: ComponentChildren, ...children: ComponentChildren[]): View {
  return el.div(
    { class: classes('notice', kind), role: kind === 'error' ? 'alert' : 'status' },
    icon(kindIcons[kind]),
    el.div(null, el.strong(null, title), ...children),
  )
}

/** Says why something failed, with a way to try again. */
export function failure(problem: ApiError, retry?: () => void): View {
  const text = problem.code === 'no-line' ? common.value.noLine : problem.message
  const title = problem.code === 'no-line' ? common.value.noLineTitle : problem.title
  return notice(
    problem.code === 'no-line' ? 'warning' : 'error',
    title,
    el.p(null, text),
    retry && button(common.value.tryAgain, { onClick: retry, icon: 'undo' }),
  )
}

/** A bar at the top of a part that is being read. It appears after 300 ms (in the style sheet). */
export function loadingBar(isLoading: boolean): View | null {
  return isLoading
    ? el.div({ class: 'loading', role: 'progressbar', 'aria-label': common.value.loading })
    : null
}

/** Says from when data are that could not be read again. */
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
  /** Has the focus as soon as it is shown. */
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
      // The types of elements tell each kind of input apart; those of FieldOptions have the same attributes.
      type: type as 'text',
      value,
      autocomplete,
      spellcheck: false,
      required: more.isRequired ?? false,
      disabled: more.isDisabled ?? false,
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

interface TextAreaOptions {
  label: string
  value: string
  onInput: (value: string) => void
  maxLength?: number
  isFirst?: boolean
}

/** An input of several lines, with its label. */
export function TextArea({
  label,
  value,
  onInput,
  maxLength = 2_000,
  isFirst = false,
}: TextAreaOptions): View {
  const id = useId()
  return el.div(
    { class: 'field' },
    el.label({ for: id }, label),
    el.textarea({
      id,
      value,
      maxLength,
      rows: 3,
      autofocus: isFirst,
      onInput: ({ currentTarget }) => onInput(currentTarget.value),
    }),
  )
}

interface ChoiceOptions<V extends string> {
  label: string
  value: V
  choices: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => void
  isDisabled?: boolean
  /** Has the focus as soon as it is shown. */
  isFirst?: boolean
}

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
 * A dialogue that the browser keeps above all else: focus stays in it, Escape closes it, and Ctrl+Enter presses its main button. No
 * shortcut of what is below works.
 */
export function Dialog({ title, onClose, children }: DialogOptions): View {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const depth = useContext(DialogDepth)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    const uncover = coverShortcuts()
    return () => {
      uncover()
      // Closing gives the focus back to what had it. Without that, or when it is gone, the keyboard would stand nowhere.
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
        if (event.key !== 'Enter' || !event.ctrlKey) return
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

/** Puts the focus on the innermost part of the page when nothing has it. */
export function keepFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const part = document.getElementById('sheet') ?? document.getElementById('main')
  part?.focus({ preventScroll: true })
}

/** A list of buttons of which one is chosen, each with the count of what it shows. */
export function tabs<V extends string>(
  name: string,
  chosen: V,
  all: readonly (readonly [value: V, text: string, count: string | null])[],
  choose: (value: V) => void,
): View {
  return el.div(
    { class: 'tabs', role: 'group', 'aria-label': name },
    all.map(([value, text, count]) =>
      el.button(
        { key: value, type: 'button', 'aria-pressed': value === chosen, onClick: () => choose(value) },
        text,
        count !== null && el.span({ class: 'count' }, count),
      ),
    ),
  )
}
