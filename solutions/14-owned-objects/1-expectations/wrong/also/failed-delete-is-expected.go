// Breaks: It expects and sends as Create does.
// Stage: 3

//go:build wrong

package expectations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (e *Expectations) Delete(client Client, set string, uids ...types.UID) error {
	var failures []error
	e.ExpectDeletions(set, uids...)
	for _, uid := range uids {
		failures = append(failures, client.Delete(set, uid))
	}
	return errors.Join(failures...)
}
