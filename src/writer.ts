import { changes, resources, shapeOf } from './api.ts'
import { systemClock } from './host/clock.ts'
import { runWriter } from './store/writer-thread.ts'

/**
 * The program of the writer thread. What time it is comes with each command, from the clock of the main thread; how long a
 * commit takes, by which the thread paces itself, is measured on the machine's own.
 */
runWriter(resources, shapeOf, changes, systemClock)
