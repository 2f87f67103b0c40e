package managed_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	// The second handler sleeps for 27 years of virtual time in a bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
	log.SetLogger(logr.Discard())
	testkit.Main(m)
}

// of is a manager with the controller. Its caches have more time than controller-runtime gives them, which is two
// minutes: the suite holds one back for five.
func of(o managed.Options) mirrortest.Controller {
	return func(ctx context.Context, access *rest.Config, over *http.Client, group string) error {
		options := o
		options.Group, options.SyncTimeout = group, time.Hour
		m, err := managed.New(access, over, options)
		if err != nil {
			return err
		}
		return m.Start(ctx)
	}
}
