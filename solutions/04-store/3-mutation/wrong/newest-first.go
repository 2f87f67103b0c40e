// Breaks: Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
// Caught by: TestOrder
// Message: it reported milk@7, received by nobody; tea@7

//go:build wrong

package mutation

func (d *Detector[T]) inOrder(a, b T) int { return d.watched[b].nth - d.watched[a].nth }
