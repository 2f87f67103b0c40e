package kind

import (
	"context"
	"fmt"
)

// Status prints what there is of the cluster, and the next command.
func (c *Cluster) Status(ctx context.Context) error {
	if err := Engine(ctx); err != nil {
		return err
	}
	exists, err := c.exists()
	if err != nil {
		return err
	}
	if !exists {
		fmt.Fprintf(c.out, "There is no kind cluster %s. make kind-up makes it.\n", c.Name)
		return nil
	}
	nodes, err := c.provider.ListNodes(c.Name)
	if err != nil {
		return fmt.Errorf("listing the nodes of cluster %s: %w", c.Name, said(err))
	}
	fmt.Fprintf(c.out, "kind cluster %s: %d node(s). Its kubeconfig is %s.\n", c.Name, len(nodes), c.Kubeconfig())
	for _, node := range nodes {
		role, err := node.Role()
		if err != nil {
			return fmt.Errorf("asking node %s for its role: %w", node, said(err))
		}
		fmt.Fprintf(c.out, "  %-40s %s\n", node, role)
	}
	return nil
}
