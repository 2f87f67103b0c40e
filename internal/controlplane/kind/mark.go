package kind

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// The mark is a ConfigMap in kube-system that names the checkout that made the
// cluster. A cluster without it, or with another's, is someone else's.
const (
	markNamespace = "kube-system"
	markName      = "controllers-from-scratch"
	markKey       = "checkout"
)

func (c *Cluster) mark(ctx context.Context, kubeconfig string) error {
	client, err := clientFor(kubeconfig)
	if err != nil {
		return err
	}
	_, err = client.CoreV1().ConfigMaps(markNamespace).Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: markName}, Data: map[string]string{markKey: c.root},
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("marking cluster %s as made by this checkout: %w", c.Name, err)
	}
	return nil
}

func (c *Cluster) checkMark(ctx context.Context, kubeconfig string) error {
	client, err := clientFor(kubeconfig)
	if err != nil {
		return err
	}
	mark, err := client.CoreV1().ConfigMaps(markNamespace).Get(ctx, markName, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("a kind cluster %s exists and this project did not make it, so it is not touched: "+
			"choose another name with KIND_CLUSTER, or delete it yourself: %s", c.Name, c.byHand())
	case err != nil:
		return fmt.Errorf("asking cluster %s who made it: %w. If it no longer answers and is yours, delete it: %s",
			c.Name, err, c.byHand())
	case mark.Data[markKey] != c.root:
		return fmt.Errorf("kind cluster %s was made by the checkout in %s, so it is not touched from here: "+
			"run make kind-down there, or choose another name with KIND_CLUSTER", c.Name, mark.Data[markKey])
	}
	return nil
}

func clientFor(kubeconfig string) (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig %s: %w", kubeconfig, err)
	}
	config.Timeout = 20 * time.Second
	return kubernetes.NewForConfig(config)
}
