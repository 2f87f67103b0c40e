package reflector

// Sum is the template's, and goes with its last caller.
func Sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
