import { signal } from '@preact/signals'
import { h } from 'preact'
import { ApiError, getList, getOne, sendOne } from '../lib/api.ts'
import type { View } from '../lib/el.ts'
import type { PersonHelp } from './call.ts'

/** What is loaded after the first screen; null until it is there. */
export const late = signal<PersonHelp<View> | null>(null)

const refusalOf = (error: unknown) => (error instanceof ApiError ? error : null)

/** Loads it, so that it is there when the line to the box is lost. Rejects without an answer of the box. */
export async function loadLate(): Promise<PersonHelp<View>> {
  late.value ??= (await import('./call.ts')).personHelp<View>({ getOne, getList, sendOne, h, refusalOf })
  return late.value
}
