package informer

// Sum goes with the scaffold.
func Sum(numbers []int) (sum int) {
	for _, n := range numbers {
		sum += n
	}
	return sum
}
