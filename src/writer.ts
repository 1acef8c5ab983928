import { changes, observers, resources, shapeOf } from './composition/api.ts'
import { systemClock } from './host/clock.ts'
import { runWriter } from './store/writer/writer-thread.ts'

/**
 * The program of the writer thread. The time of a command comes with the command, from the clock of the main
 * thread. The duration of a commit, by which the thread adjusts its groups, is measured with the machine's
 * own clock.
 */
runWriter(resources, shapeOf, { changes, observers }, systemClock)
