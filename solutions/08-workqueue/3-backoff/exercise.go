// Package backoff is exercise 08.3: ⟨to be written⟩
package backoff

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ the real task.
func Sum(numbers []int) int {
	//solution:begin
	//todo: add up the numbers
	//stub: return 0
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
	//solution:end
}
