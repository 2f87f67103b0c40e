// Misconception: what is put back before anybody looks was not changed.
// Caught by: TestFirstReport
// Message: what the Reader has returned stays as it is

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFrom(read)
	version := read.ResourceVersion
	read.ResourceVersion = "" // wrong: others read it now
	defer func() { read.ResourceVersion = version }()
	changed.ResourceVersion = version
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}
