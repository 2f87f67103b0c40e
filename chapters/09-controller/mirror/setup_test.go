package mirror_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
	testkit.Main(m)
}

// of is a controller with these options, whose group the caller says.
func of(o mirror.Options) mirrortest.Controller {
	return func(ctx context.Context, config *rest.Config, client *http.Client, group string) error {
		set, err := kubernetes.NewForConfigAndClient(config, client)
		if err != nil {
			return err
		}
		options := o
		options.Group = group
		c, err := mirror.New(set, options)
		if err != nil {
			return err
		}
		return c.Run(ctx)
	}
}
