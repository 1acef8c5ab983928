import { changes, resources, shapeOf } from './api.ts'
import { runWriter } from './store/writer-thread.ts'

/** The program of the writer thread. */
runWriter(resources, shapeOf, changes)
