// Package twosets is another right solution of exercise 08.1: ⟨to be written⟩
package twosets

// Sum adds up the numbers, from the last to the first.
func Sum(numbers []int) int {
	total := 0
	for i := len(numbers) - 1; i >= 0; i-- {
		total += numbers[i]
	}
	return total
}
