// Misconception: an object that has left the cache may still be read, and so it is watched on.
// Caught by: TestRemove
// Message: it reported soup@7, received by list; bread@7

//go:build wrong

package mutation

func (d *Detector[T]) Remove(object T) {}
