import { computed, signal } from '@preact/signals'

/** Whether the event stream is open. */
export const isLive = signal(false)
/** When the last event or heartbeat arrived, Unix milliseconds of this browser. */
export const heardAt = signal<number | null>(null)
/** Whether the connection is lost. A page that has not connected yet has not lost it. */
export const isLineDead = computed(() => !isLive.value && heardAt.value !== null)
