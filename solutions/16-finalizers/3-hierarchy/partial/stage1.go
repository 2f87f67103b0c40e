// The highest number, whoever has it.

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
	if len(all) == 0 {
		return true, nil
	}
	next, highest := "", -1
	for _, child := range all {
		n, _ := strconv.Atoi(child.Name[strings.LastIndex(child.Name, "-")+1:])
		if n > highest {
			next, highest = child.Name, n
		}
	}
	return false, children.Delete(ctx, next, metav1.Preconditions{})
}
