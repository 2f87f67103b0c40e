// Breaks: The sum of none is 0.
// Caught by: TestNone
// Message: index out of range [0] with length 0

//go:build wrong

package delays

// Sum begins with the first number. ⟨to be written⟩
func Sum(numbers []int) int {
	total := numbers[0]
	for _, n := range numbers[1:] {
		total += n
	}
	return total
}
