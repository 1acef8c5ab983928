import { en, type WalkInTexts } from './en.ts'
export const es: WalkInTexts = en
