// Misconception: a log is worth no failure.
// Caught by: TestStopsThere
// Message: the belief that a log which can't be read is empty

//go:build wrong

package cleanup

import "k8s.io/apimachinery/pkg/types"

func (c *Cleanup) keep(uid types.UID) error {
	log, _ := c.World.Log(uid)
	return c.World.Keep(uid, log)
}
