import { en, type WalkInTexts } from './en.ts'
export const pt: WalkInTexts = en
