/**
 * A member in which an imported booking is not as it is stored. `field` is its path in the row, such as
 * `stays/0/personCount/adults`. The values are as a person reads them: a unit by its name, a unit type by its code, a price as
 * `218.00 EUR`. Null stands for no value.
 */
export interface Difference {
  field: string
  stored: string | null
  given: string | null
}
