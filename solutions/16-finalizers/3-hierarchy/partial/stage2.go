// The set's own children, none of which is being deleted.

//go:build partial

package hierarchy

import (
	"context"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Run(ctx context.Context, children Children, set *metav1.PartialObjectMetadata) (done bool, err error) {
	all, _ := children.List(ctx)
	next, highest := "", -1
	for _, child := range all {
		if !metav1.IsControlledBy(&child, set) {
			continue
		}
		if child.DeletionTimestamp != nil {
			return false, nil
		}
		n, _ := strconv.Atoi(child.Name[strings.LastIndex(child.Name, "-")+1:])
		if n > highest {
			next, highest = child.Name, n
		}
	}
	if next == "" {
		return true, nil
	}
	return false, children.Delete(ctx, next, metav1.Preconditions{})
}
