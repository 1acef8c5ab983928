import { changes, resources, shapeOf } from './api.ts'
import { journalPurge, webhookPlaces } from './events/journal-purge.ts'
import { runWriter } from './store/writer-thread.ts'
import { linkPlaces } from './upstream/sync/link.ts'

/** The program of the writer thread. */
runWriter(resources, shapeOf, changes, [journalPurge([...webhookPlaces, ...linkPlaces])])
