// Misconception: what has been deleted can be expected.
// Stage: 3

//go:build wrong

package expectations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	var failures []error
	for _, uid := range uids {
		if err := client.Delete(set, uid); err != nil {
			failures = append(failures, err)
			continue
		}
		e.ExpectDeletions(set, uid)
	}
	return errors.Join(failures...)
}
