import { signal } from '@preact/signals'

/** The file that was chosen for a restore. A reload drops it. */
export const fileToSend = signal<File | null>(null)
